package display

import (
	"errors"
	"fmt"
	"math"

	"tileserver/display/colormap"
	"tileserver/display/formula"
	"tileserver/display/terrain"
)

// ErrInvalidSpec is in the chain of every error about a Spec that the dataset cannot be
// shown with. The sentence around it is for people: it counts bands from 1.
var ErrInvalidSpec = errors.New("invalid style")

// Spec is what a request or the style of a layer asks for. The zero Spec asks for what a
// person would expect of the dataset.
type Spec struct {
	// Bands are the source bands to show, counted from 0: one, or red, green and blue. The
	// band that carries opacity may follow them, which changes nothing. Nil chooses by the
	// dataset.
	Bands []int

	// BandNames are bands by the names that the file gives them, or b1 or 1 and so on, in place
	// of Bands.
	BandNames []string

	// Expression computes one band or three of those of the dataset, in place of Bands.
	Expression string

	// Unscale makes values of samples by the scale and the offset of their band, before all
	// else: Rescale and Expression are about values then.
	Unscale bool

	// Amplitudes shows complex samples by their magnitude, where the zero Spec takes the
	// square root of that, in which dark and bright echoes can be seen together.
	Amplitudes bool

	// Relief makes a picture of the heights in a band.
	Relief *terrain.Parameters

	// Rescale gives the samples that become black and white: one range a shown band, or one
	// for all of them. It takes the place of a stretch. Bands whose low samples are the light
	// ones stay so: there Low becomes white.
	Rescale []Range

	// Stretch finds those samples in the statistics of the dataset.
	Stretch Stretch

	// StoredStatistics takes those that the file tells of itself, of which nobody knows how
	// they came about. They know no percentiles.
	StoredStatistics bool

	// Formula bends and saturates what was stretched.
	Formula *formula.Formula

	// ColorMap names the colours of a single shown band. A trailing "_r" reverses them.
	ColorMap string

	// Colors are colours for a single shown band that have no name; a name wins over them.
	// Those of samples take the place of a stretch.
	Colors *colormap.Map

	// Deep asks for 16 bits a sample.
	Deep bool

	// Data asks for what would be stretched and not for a picture: any number of bands, of
	// which nil is all.
	Data bool
}

// Range is a range of samples that becomes the range from black to white.
type Range struct{ Low, High float64 }

// asStored is the range that leaves samples of eight bits as they are.
var asStored = Range{0, math.MaxUint8}

func (r Range) validate() error {
	if !isFinite(r.Low) || !isFinite(r.High) || !isFinite(r.High-r.Low) {
		return invalid("a range to rescale must be finite, not %v,%v", r.Low, r.High)
	}
	if r.Low >= r.High {
		return invalid("a range to rescale must ascend, not %v,%v", r.Low, r.High)
	}
	return nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// specError is what is wrong with a Spec. It says nothing else: whoever asked knows that it is about
// a style.
type specError string

func invalid(format string, arguments ...any) error {
	return specError(fmt.Sprintf(format, arguments...))
}

func (e specError) Error() string { return string(e) }

// Is makes it ErrInvalidSpec.
func (specError) Is(target error) bool { return target == ErrInvalidSpec }
