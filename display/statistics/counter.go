package statistics

import (
	"math"

	"tileserver/raster"
)

// A counter counts every value of a type of up to 16 bits.
type counter[T uint8 | int8 | uint16 | int16] struct {
	lowest int
	counts []uint64
	total  uint64
}

func newCounter[T uint8 | int8 | uint16 | int16](t raster.DataType) *counter[T] {
	low, high := t.Limits()
	return &counter[T]{lowest: int(low), counts: make([]uint64, int(high-low)+1)}
}

func (c *counter[T]) add(t raster.Tile, band int, coverage []uint8) {
	samples := raster.Samples[T](t, band)
	c.total += uint64(len(samples))
	if coverage == nil {
		for _, v := range samples {
			c.counts[int(v)-c.lowest]++
		}
		return
	}
	coverage = coverage[:len(samples)]
	for i, v := range samples {
		if coverage[i] == raster.Valid {
			c.counts[int(v)-c.lowest]++
		}
	}
}

func (c *counter[T]) passes() int   { return 1 }
func (c *counter[T]) endPass() bool { return false }

func (c *counter[T]) statistics() Band {
	first, last := 0, len(c.counts)-1
	for first <= last && c.counts[first] == 0 {
		first++
	}
	if first > last {
		return Band{Total: c.total}
	}
	for c.counts[last] == 0 {
		last--
	}
	low := float64(c.lowest + first)
	b := Band{
		Total:     c.total,
		Min:       low,
		Max:       float64(c.lowest + last),
		Histogram: Histogram{Low: low, Width: 1, Counts: append([]uint64(nil), c.counts[first:last+1]...), Exact: true},
	}
	b.Count, b.Mean, b.StdDev = b.Histogram.moments()
	return b
}

// moments returns exact results except for the last rounding: all sums are of integers that a
// float64 represents.
func (h *Histogram) moments() (count uint64, mean, deviation float64) {
	var sum float64
	for i, n := range h.Counts {
		count += n
		sum += float64(float64(n) * (h.Low + float64(i)))
	}
	mean = sum / float64(count)
	var squares float64
	for i, n := range h.Counts {
		off := h.Low + float64(i) - mean
		squares += float64(float64(n) * float64(off*off))
	}
	return count, mean, math.Sqrt(squares / float64(count))
}
