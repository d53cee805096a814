package display

import (
	"math"

	"tileserver/raster"
)

// curve bends what lies between black, 0, and white, 1. Nil is straight.
type curve func(part float64) float64

// grayOf is the gray of a value between the limits under a curve.
func grayOf(v float64, limits Range, bend curve) uint8 {
	if bend == nil {
		return newScale(limits).gray(v)
	}
	if v != v {
		return 0
	}
	return uint8(float64(bend(partOf(v, limits))*math.MaxUint8) + 0.5)
}

// partOf is how far v lies on the way from black to white, from 0 to 1. Where all samples
// are alike, it is half of it.
func partOf(v float64, limits Range) float64 {
	if limits.Low == limits.High {
		return 0.5
	}
	return min(max((v-limits.Low)/(limits.High-limits.Low), 0), 1)
}

// bentSteps divide the way from black to white, finely enough for the steepest part of a
// curve to show no bands.
const bentSteps = 1 << 16

// bent computes how far each sample lies on the way, and looks its gray up.
type bent[T raster.Sample] struct {
	low, factor float64
	grays       [bentSteps]uint8
}

func newBent[T raster.Sample](limits Range, bend curve) *bent[T] {
	q := &bent[T]{low: limits.Low}
	for i := range q.grays {
		part := float64(i) / (bentSteps - 1)
		if limits.Low == limits.High {
			part = 0.5
		}
		q.grays[i] = uint8(float64(bend(part)*math.MaxUint8) + 0.5)
	}
	if limits.Low != limits.High {
		q.factor = (bentSteps - 1) / (limits.High - limits.Low)
	}
	return q
}

func (q *bent[T]) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := raster.Samples[T](t, band)
	scratch = scratch[:len(samples)]
	low, factor := q.low, q.factor
	for i, v := range samples {
		at := float64((float64(v)-low)*factor) + 0.5
		if !(at > 0) { // also NaN
			at = 0
		}
		scratch[i] = q.grays[int(min(at, bentSteps-1))]
	}
	return scratch
}

// curveOf is the curve of a shown band.
func (r *Resolved) curveOf(shown int) curve {
	if r.formula == nil {
		return nil
	}
	if own := r.formula.Curve(shown); own != nil {
		return own.At
	}
	return nil
}
