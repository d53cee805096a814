package resample

import (
	"math"

	"tileserver/raster"
)

// rounder converts sums to samples.
type rounder[T raster.Sample] struct {
	float           bool
	low, high       float64
	lowest, highest T
}

func rounderOf[T raster.Sample]() rounder[T] {
	t := raster.TypeOf[T]()
	low, high := t.Limits()
	return rounder[T]{t.IsFloat(), low, high, raster.Clamp[T](low), raster.Clamp[T](high)}
}

// to converts v to T. It rounds and clamps if T is an integer.
func (r *rounder[T]) to(v float64) T {
	switch {
	case r.float:
		return T(v)
	case v <= r.low:
		return r.lowest
	case v >= r.high:
		return r.highest
	default:
		return T(math.Floor(v + 0.5))
	}
}
