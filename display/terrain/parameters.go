package terrain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrParameters matches every error about parameters.
var ErrParameters = errors.New("invalid terrain parameters")

const (
	minExaggeration = 1e-6
	maxExaggeration = 1e6
	maxHeight       = 1e6
	minInterval     = 1e-6
	minThickness    = 0.1
	maxThickness    = 32
	maxIndexEvery   = 1000
)

// Parameters select an algorithm on heights and its options. Options of other modes are ignored.
type Parameters struct {
	Mode      Mode
	Light     Light
	Steepness Steepness
	Lines     Lines
	Encoding  Encoding

	// MinHeight and MaxHeight are the range of the colors below contour lines. Contours ignores
	// them.
	MinHeight, MaxHeight float64
}

// DefaultParameters returns the defaults of a mode.
func DefaultParameters(mode Mode) Parameters {
	encoding := MapboxTerrainRGB()
	if mode == ModeTerrarium {
		encoding = Terrarium()
	}
	return Parameters{
		Mode:      mode,
		Light:     Light{Azimuth: 315, Altitude: 45, Exaggeration: 1},
		Steepness: Steepness{Exaggeration: 1},
		Lines:     Lines{Interval: 35, Thickness: 1, IndexThickness: 2},
		Encoding:  encoding,
		MinHeight: -12000, MaxHeight: 8000,
	}
}

// Gray computes grays: hillshades and contour lines.
func (p *Parameters) Gray(dst []uint8, grid *Grid) error {
	switch p.Mode {
	case ModeHillshade, ModeRelief:
		return Hillshade(dst, grid, p.Light)
	case ModeMultiHillshade:
		return MultidirectionalHillshade(dst, grid, p.Light)
	case ModeContours:
		return Contours(dst, grid, p.Lines)
	}
	return fmt.Errorf("%w: %s does not produce grays", ErrParameters, p.Mode)
}

// Values computes numbers: slope and aspect.
func (p *Parameters) Values(dst []float32, grid *Grid) error {
	switch p.Mode {
	case ModeSlope:
		return Slope(dst, grid, p.Steepness)
	case ModeAspect:
		return Aspect(dst, grid)
	}
	return fmt.Errorf("%w: %s does not produce values", ErrParameters, p.Mode)
}

// String returns the canonical form of everything that the result depends on.
func (p *Parameters) String() string {
	switch p.Mode {
	case ModeHillshade, ModeRelief:
		azimuth := p.Light.Azimuth
		if azimuth == 360 {
			azimuth = 0
		}
		return p.canonical(azimuth, p.Light.Altitude, p.Light.Exaggeration)
	case ModeMultiHillshade:
		return p.canonical(p.Light.Altitude, p.Light.Exaggeration)
	case ModeSlope:
		return p.canonical(p.Steepness.Exaggeration) + "," + p.Steepness.Unit.String()
	case ModeContours:
		numbers := []float64{p.Lines.Interval, p.Lines.Thickness, p.MinHeight, p.MaxHeight}
		if p.Lines.IndexEvery > 0 {
			numbers = append(numbers, float64(p.Lines.IndexEvery), p.Lines.IndexThickness)
		}
		return p.canonical(numbers...)
	case ModeTerrainRGB, ModeTerrarium:
		numbers := []float64{p.Encoding.Base, p.Encoding.Interval}
		if p.Encoding.HasMissingHeight {
			numbers = append(numbers, p.Encoding.MissingHeight)
		}
		return p.canonical(numbers...)
	}
	return p.Mode.String()
}

func (p *Parameters) canonical(numbers ...float64) string {
	texts := make([]string, len(numbers))
	for i, number := range numbers {
		texts[i] = strconv.FormatFloat(number+0, 'g', -1, 64) // + 0 turns -0 into 0
	}
	return p.Mode.String() + ":" + strings.Join(texts, ",")
}

// Validate returns an error if a parameter of the mode is out of range.
func (p *Parameters) Validate() error {
	switch p.Mode {
	case ModeHillshade, ModeMultiHillshade, ModeRelief:
		return p.Light.validate(p.Mode != ModeMultiHillshade)
	case ModeSlope:
		return p.Steepness.validate()
	case ModeAspect:
		return nil
	case ModeContours:
		return p.validateContours()
	case ModeTerrainRGB, ModeTerrarium:
		return p.Encoding.validate()
	}
	return fmt.Errorf("%w: unknown %s", ErrParameters, p.Mode)
}

func (p *Parameters) validateContours() error {
	if err := validateRange("minz", p.MinHeight, -maxHeight, maxHeight); err != nil {
		return err
	}
	if err := validateRange("maxz", p.MaxHeight, -maxHeight, maxHeight); err != nil {
		return err
	}
	if p.MinHeight >= p.MaxHeight {
		return fmt.Errorf("%w: minz %g is not below maxz %g", ErrParameters, p.MinHeight, p.MaxHeight)
	}
	return p.Lines.validate()
}

func (l Light) validate(hasAzimuth bool) error {
	if hasAzimuth {
		if err := validateRange("azimuth", l.Azimuth, 0, 360); err != nil {
			return err
		}
	}
	if err := validateRange("angle_altitude", l.Altitude, 0, 90); err != nil {
		return err
	}
	return validateRange("z_exaggeration", l.Exaggeration, minExaggeration, maxExaggeration)
}

func (l Lines) validate() error {
	if err := validateRange("increment", l.Interval, minInterval, maxHeight); err != nil {
		return err
	}
	if err := validateRange("thickness", l.Thickness, minThickness, maxThickness); err != nil {
		return err
	}
	if l.IndexEvery == 0 {
		return nil
	}
	if err := validateRange("index_every", float64(l.IndexEvery), 0, maxIndexEvery); err != nil {
		return err
	}
	return validateRange("index_thickness", l.IndexThickness, minThickness, maxThickness)
}

// validateRange returns an error unless value is from low to high. NaN is an error.
func validateRange(name string, value, low, high float64) error {
	if value >= low && value <= high {
		return nil
	}
	return fmt.Errorf("%w: %s is %g, not from %g to %g", ErrParameters, name, value, low, high)
}
