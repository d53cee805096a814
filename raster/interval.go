package raster

import (
	"math"
	"slices"
)

// An Interval is the numbers from Low to High. There are none if Low is above High, and any if one of
// them is NaN.
type Interval struct{ Low, High float64 }

// NoNumbers returns the interval without numbers.
func NoNumbers() Interval { return Interval{math.Inf(1), math.Inf(-1)} }

// Contains reports whether a number is in the interval.
func (i Interval) Contains(v float64) bool { return !(v < i.Low || v > i.High) }

// Join returns the smallest interval that contains both.
func (i Interval) Join(o Interval) Interval { return Interval{min(i.Low, o.Low), max(i.High, o.High)} }

// ValidSamples returns the smallest interval that contains the valid samples of a band, which are not
// complex.
func (t Tile) ValidSamples(band int) Interval {
	switch t.Type() {
	case Uint8:
		return intervalOf[uint8](t, band)
	case Int8:
		return intervalOf[int8](t, band)
	case Uint16:
		return intervalOf[uint16](t, band)
	case Int16:
		return intervalOf[int16](t, band)
	case Uint32:
		return intervalOf[uint32](t, band)
	case Int32:
		return intervalOf[int32](t, band)
	case Uint64:
		return intervalOf[uint64](t, band)
	case Int64:
		return intervalOf[int64](t, band)
	case Float32:
		return intervalOf[float32](t, band)
	default:
		return intervalOf[float64](t, band)
	}
}

func intervalOf[T Sample](t Tile, band int) Interval {
	samples, coverage := Samples[T](t, band), t.Validity(band)
	if coverage == nil {
		return intervalOfAll(samples)
	}
	all := NoNumbers()
	for len(samples) > 0 {
		valid := slices.IndexFunc(coverage, func(c uint8) bool { return c != Invalid })
		if valid < 0 {
			break
		}
		samples, coverage = samples[valid:], coverage[valid:]
		count := slices.Index(coverage, Invalid)
		if count < 0 {
			count = len(coverage)
		}
		all = all.Join(intervalOfAll(samples[:count]))
		samples, coverage = samples[count:], coverage[count:]
	}
	return all
}

func intervalOfAll[T Sample](samples []T) Interval {
	if len(samples) == 0 {
		return NoNumbers()
	}
	low, high := samples[0], samples[0]
	for _, v := range samples {
		if v >= low && v <= high { // most are, so that the branches are predicted
			continue
		}
		low, high = min(low, v), max(high, v) // NaN if v is
	}
	return Interval{float64(low), float64(high)}
}

// MadeOf returns for each band the interval of the valid samples that t was made of, or nil if that is
// unknown.
func (t Tile) MadeOf() []Interval { return t.p.madeOf }

// WithMadeOf returns t with the intervals of the samples that it was made of, one for each band. The
// tile keeps the slice.
func (t Tile) WithMadeOf(samples []Interval) Tile {
	p := *t.p
	p.madeOf = samples
	return Tile{&p}
}
