package display

import (
	"math"

	"tileserver/raster"
)

// A curve maps brightness from 0, black, to 1, white, to a new brightness. Nil is the identity.
type curve func(part float64) float64

// grayOf returns the gray of a value between the limits, mapped by a curve.
func grayOf(v float64, limits Range, bend curve) uint8 {
	if bend == nil {
		return newScale(limits).gray(v)
	}
	if v != v {
		return 0
	}
	return uint8(float64(bend(fraction(v, limits))*math.MaxUint8) + 0.5)
}

// fraction returns where v lies between black, 0, and white, 1. It is 0.5 if both limits are
// equal.
func fraction(v float64, limits Range) float64 {
	if limits.Low == limits.High {
		return 0.5
	}
	return min(max((v-limits.Low)/(limits.High-limits.Low), 0), 1)
}

// curveSteps is the number of entries of a curveTable. It is large enough for the steepest part
// of a curve to show no banding.
const curveSteps = 1 << 16

// A curveTable looks grays up by the position of each sample between black and white.
type curveTable[T raster.Sample] struct {
	low, factor float64
	grays       [curveSteps]uint8
}

func newCurveTable[T raster.Sample](limits Range, bend curve) *curveTable[T] {
	q := &curveTable[T]{low: limits.Low}
	for i := range q.grays {
		part := float64(i) / (curveSteps - 1)
		if limits.Low == limits.High {
			part = 0.5
		}
		q.grays[i] = uint8(float64(bend(part)*math.MaxUint8) + 0.5)
	}
	if limits.Low != limits.High {
		q.factor = (curveSteps - 1) / (limits.High - limits.Low)
	}
	return q
}

func (q *curveTable[T]) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := raster.Samples[T](t, band)
	scratch = scratch[:len(samples)]
	low, factor := q.low, q.factor
	for i, v := range samples {
		at := float64((float64(v)-low)*factor) + 0.5
		if !(at > 0) { // also true for NaN
			at = 0
		}
		scratch[i] = q.grays[int(min(at, curveSteps-1))]
	}
	return scratch
}

// curveOf returns the curve of a shown band, or nil.
func (r *Resolved) curveOf(shown int) curve {
	if r.formula == nil {
		return nil
	}
	if own := r.formula.Curve(shown); own != nil {
		return own.At
	}
	return nil
}
