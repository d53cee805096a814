package terrain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

const maxParametersBytes = 1024

// ParseParameters parses a JSON object with TiTiler's names of parameters, on top of the defaults
// of the mode. An empty text means the defaults. Azimuths are compass directions, unlike those of
// TiTiler, whose 45 is the northwest. A buffer is accepted where TiTiler has one and ignored: the
// halo is always right.
func ParseParameters(mode Mode, text []byte) (Parameters, error) {
	p := DefaultParameters(mode)
	if err := p.Validate(); err != nil {
		return Parameters{}, err
	}
	if len(text) > maxParametersBytes {
		return Parameters{}, fmt.Errorf("%w: %d bytes exceed the limit of %d", ErrParameters, len(text), maxParametersBytes)
	}
	if len(bytes.TrimSpace(text)) > 0 {
		if err := p.read(text); err != nil {
			return Parameters{}, err
		}
	}
	return p, p.Validate()
}

func (p *Parameters) read(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("%w: not a JSON object", ErrParameters)
	}
	var names []string
	for decoder.More() {
		name, value, err := readMember(decoder)
		if err != nil {
			return err
		}
		if slices.Contains(names, name) {
			return fmt.Errorf("%w: duplicate parameter %.32q", ErrParameters, name)
		}
		names = append(names, name)
		if err := p.set(name, value); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("%w: the JSON object is incomplete", ErrParameters)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("%w: unexpected data after the JSON object", ErrParameters)
	}
	return nil
}

func readMember(decoder *json.Decoder) (name string, value json.Token, err error) {
	token, err := decoder.Token()
	name, isName := token.(string)
	if err == nil {
		value, err = decoder.Token()
	}
	if err != nil || !isName {
		return "", nil, fmt.Errorf("%w: not valid JSON", ErrParameters)
	}
	return name, value, nil
}

// set sets a parameter. Null leaves the default.
func (p *Parameters) set(name string, value json.Token) error {
	for _, f := range p.fields() {
		if f.name != name {
			continue
		}
		if value == nil {
			return nil
		}
		if err := f.set(value); err != nil {
			return fmt.Errorf("%w: %s %w", ErrParameters, name, err)
		}
		return nil
	}
	var known []string
	for _, f := range p.fields() {
		known = append(known, f.name)
	}
	if known == nil {
		return fmt.Errorf("%w: unknown parameter %.32q; %s has no parameters", ErrParameters, name, p.Mode)
	}
	return fmt.Errorf("%w: unknown parameter %.32q; %s has %s", ErrParameters, name, p.Mode, strings.Join(known, ", "))
}

// A field is a parameter and a function to set it.
type field struct {
	name string
	set  func(value json.Token) error
}

// fields returns the parameters of the mode.
func (p *Parameters) fields() []field {
	exaggeration := &p.Light.Exaggeration
	if p.Mode == ModeSlope {
		exaggeration = &p.Steepness.Exaggeration
	}
	buffer := field{"buffer", setInteger(new(int), 99)}
	exaggerationField := field{"z_exaggeration", setNumber(exaggeration)}
	altitude := field{"angle_altitude", setNumber(&p.Light.Altitude)}
	missing := field{"nodata_height", p.setMissingHeight}
	switch p.Mode {
	case ModeHillshade, ModeRelief:
		return []field{{"azimuth", setNumber(&p.Light.Azimuth)}, altitude, exaggerationField, buffer}
	case ModeMultiHillshade:
		return []field{altitude, exaggerationField, buffer}
	case ModeSlope:
		return []field{{"unit", p.setSlopeUnit}, exaggerationField, buffer}
	case ModeAspect:
		return []field{buffer}
	case ModeContours:
		return []field{
			{"increment", setNumber(&p.Lines.Interval)}, {"thickness", setNumber(&p.Lines.Thickness)},
			{"index_every", setInteger(&p.Lines.IndexEvery, maxIndexEvery)},
			{"index_thickness", setNumber(&p.Lines.IndexThickness)},
			{"minz", setNumber(&p.MinHeight)}, {"maxz", setNumber(&p.MaxHeight)},
		}
	case ModeTerrainRGB:
		return []field{{"interval", setNumber(&p.Encoding.Interval)}, {"baseval", setNumber(&p.Encoding.Base)}, missing}
	default:
		return []field{missing}
	}
}

func setNumber(to *float64) func(json.Token) error {
	return func(value json.Token) error {
		number, ok := value.(json.Number)
		if !ok {
			return fmt.Errorf("is not a number")
		}
		parsed, err := number.Float64()
		if err != nil {
			return fmt.Errorf("is out of range")
		}
		*to = parsed
		return nil
	}
}

func setInteger(to *int, maxValue int) func(json.Token) error {
	return func(value json.Token) error {
		var number float64
		if err := setNumber(&number)(value); err != nil {
			return err
		}
		if number != math.Trunc(number) || number < 0 || number > float64(maxValue) {
			return fmt.Errorf("is %g, not a whole number from 0 to %d", number, maxValue)
		}
		*to = int(number)
		return nil
	}
}

func (p *Parameters) setMissingHeight(value json.Token) error {
	p.Encoding.HasMissingHeight = true
	return setNumber(&p.Encoding.MissingHeight)(value)
}

func (p *Parameters) setSlopeUnit(value json.Token) error {
	switch value {
	case Degrees.String():
		p.Steepness.Unit = Degrees
	case Percent.String():
		p.Steepness.Unit = Percent
	default:
		return fmt.Errorf("is not %q or %q", Degrees, Percent)
	}
	return nil
}
