package display

import (
	"errors"
	"fmt"
	"math"

	"tileserver/display/colormap"
	"tileserver/display/expression"
	"tileserver/display/formula"
	"tileserver/display/terrain"
)

// ErrInvalidSpec matches every error about a Spec that does not suit the dataset. The error texts
// are for people: they count bands from 1.
var ErrInvalidSpec = errors.New("invalid style")

// A Spec is the style that a request or a layer asks for. The zero Spec asks for the default style
// of the dataset.
type Spec struct {
	// Bands are the source bands to show, counted from 0: one, or red, green and blue. The opacity
	// band may follow them, without effect. If nil, the bands depend on the dataset.
	Bands []int

	// BandNames are names that the file gives to bands, or numbers such as b1 or 1, in place of Bands.
	BandNames []string

	// Expression computes one or three bands from those of the dataset, in place of Bands.
	Expression *expression.Source

	// Unscale converts samples to values by the scale and offset of their band. This comes first:
	// Rescale and Expression then apply to values.
	Unscale bool

	// Amplitudes shows complex samples by their magnitude. The default is the square root of the
	// magnitude, which shows dark and bright echoes together.
	Amplitudes bool

	// Relief computes a picture from the heights in a band.
	Relief *terrain.Parameters

	// Rescale holds the samples that become black and white, in place of a stretch: one range per
	// shown band, or one for all. Inverted bands stay inverted: there Low becomes white.
	Rescale []Range

	// Stretch derives those samples from the statistics of the dataset.
	Stretch Stretch

	// StoredStatistics uses the statistics stored in the file, which may have been computed in any
	// way. They have no percentiles.
	StoredStatistics bool

	// Formula changes brightness and saturation after the stretch.
	Formula *formula.Formula

	// ColorMap names the colors of a single shown band. A trailing "_r" reverses them.
	ColorMap string

	// Colors are unnamed colors of a single shown band. ColorMap takes precedence. Colors of
	// samples replace the stretch.
	Colors *colormap.Map

	// Deep asks for 16 bits per sample.
	Deep bool

	// Data asks for the values before the stretch in place of a picture. Any number of bands is
	// allowed; nil means all.
	Data bool
}

// A Range is the range of samples that is stretched from black to white.
type Range struct{ Low, High float64 }

// byteRange leaves 8-bit samples as they are.
var byteRange = Range{0, math.MaxUint8}

func (r Range) validate() error {
	if !isFinite(r.Low) || !isFinite(r.High) || !isFinite(r.High-r.Low) {
		return invalid("a rescale range must be finite, not %v,%v", r.Low, r.High)
	}
	if r.Low >= r.High {
		return invalid("a rescale range must ascend, not %v,%v", r.Low, r.High)
	}
	return nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// A specError is an error in a Spec. Its text has no prefix: the caller knows that a style is
// wrong.
type specError string

func invalid(format string, arguments ...any) error {
	return specError(fmt.Sprintf(format, arguments...))
}

func (e specError) Error() string { return string(e) }

// Is makes a specError match ErrInvalidSpec.
func (specError) Is(target error) bool { return target == ErrInvalidSpec }
