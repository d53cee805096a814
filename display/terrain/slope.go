package terrain

import (
	"fmt"
	"math"
)

// SlopeUnit is the unit of a slope.
type SlopeUnit uint8

const (
	Degrees SlopeUnit = iota // 0 is flat, 90 is vertical
	Percent                  // rise per 100 of distance; 100 is 45 degrees
)

func (u SlopeUnit) String() string {
	if u == Percent {
		return "percent"
	}
	return "degrees"
}

// Steepness holds the options of Slope.
type Steepness struct {
	Unit         SlopeUnit
	Exaggeration float64 // factor of heights; 1 is none
}

// Slope computes the slope of each pixel. It is NaN for pixels without height.
func Slope(dst []float32, grid *Grid, steepness Steepness) error {
	if err := steepness.validate(); err != nil {
		return err
	}
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	w := spanIterator{grid: grid, exaggeration: steepness.Exaggeration}
	for w.next() {
		slopes(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels], steepness.Unit)
	}
	eraseMissing(dst, grid, float32(math.NaN()))
	return nil
}

func slopes(dst, east, south []float32, unit SlopeUnit) {
	east, south = east[:len(dst)], south[:len(dst)]
	for i := range dst {
		e, s := float64(east[i]), float64(south[i])
		rise := math.Sqrt(float64(e*e) + float64(s*s))
		if unit == Percent {
			dst[i] = float32(100 * rise)
		} else {
			dst[i] = float32(angle(rise, 1))
		}
	}
}

// FlatAspect is the aspect of flat ground.
const FlatAspect = -1

// Aspect computes the direction in which each pixel faces, downhill: in degrees clockwise from
// north, from 0 to less than 360. It is FlatAspect for flat pixels and NaN for pixels without
// height.
func Aspect(dst []float32, grid *Grid) error {
	if err := grid.validate(len(dst)); err != nil {
		return err
	}
	w := spanIterator{grid: grid, exaggeration: 1}
	for w.next() {
		aspects(dst[w.at:][:w.pixels], w.east[:w.pixels], w.south[:w.pixels])
	}
	eraseMissing(dst, grid, float32(math.NaN()))
	return nil
}

// aspects computes the opposite directions of gradients, which point uphill.
func aspects(dst, east, south []float32) {
	east, south = east[:len(dst)], south[:len(dst)]
	for i := range dst {
		e, n := -float64(east[i]), float64(south[i])
		if e == 0 && n == 0 {
			dst[i] = FlatAspect
			continue
		}
		degrees := angle(math.Abs(e), math.Abs(n))
		if n < 0 {
			degrees = 180 - degrees
		}
		if e < 0 {
			degrees = 360 - degrees
		}
		dst[i] = float32(degrees)
		if dst[i] == 360 {
			dst[i] = 0
		}
	}
}

func (s Steepness) validate() error {
	if s.Unit > Percent {
		return fmt.Errorf("%w: unknown slope unit %d", ErrParameters, s.Unit)
	}
	return validateRange("z_exaggeration", s.Exaggeration, minExaggeration, maxExaggeration)
}
