// Package statistics computes the statistics of the samples of a dataset. Every process computes
// the same ones. Packages display, layer and http call it. It must never know what they are used
// for.
package statistics

import (
	"math"
	"slices"
)

// Version identifies the algorithm. Increase it when a dataset gets other statistics than before.
const Version = 1

// A Dataset holds the statistics of the bands of a dataset.
type Dataset struct {
	Bands []Band
}

// A Band holds the statistics of the valid samples of one band. If there are none, all fields
// except Band and Total are 0.
type Band struct {
	Band      int    // counted from 0
	Count     uint64 // valid samples
	Total     uint64 // all samples
	Min, Max  float64
	Mean      float64
	StdDev    float64 // population standard deviation of the samples
	Histogram Histogram
}

// A Histogram counts samples in bins of equal width, starting at Low.
type Histogram struct {
	Low, Width float64
	Counts     []uint64

	// Exact means that each bin holds one value: Low + i*Width. Otherwise a bin holds the range
	// from its lower edge to the next.
	Exact bool
}

// Band returns the statistics of a band, or nil.
func (s *Dataset) Band(band int) *Band {
	if s == nil {
		return nil
	}
	for i := range s.Bands {
		if s.Bands[i].Band == band {
			return &s.Bands[i]
		}
	}
	return nil
}

// Percentile returns the smallest sample that p percent of the valid samples do not exceed; p is
// from 0 to 100. It is exact for integers that span at most 65536 values. Otherwise it assumes an
// even distribution within each bin.
func (b *Band) Percentile(p float64) float64 {
	if b.Count == 0 || p <= 0 {
		return b.Min
	}
	rank := uint64(math.Ceil(float64(p*float64(b.Count)) / 100))
	before := uint64(0)
	for i, count := range b.Histogram.Counts {
		if before+count >= rank {
			part := float64(rank-before) / float64(count)
			return min(max(b.Histogram.at(i, part), b.Min), b.Max)
		}
		before += count
	}
	return b.Max
}

// at returns the sample at a fraction of bin i.
func (h *Histogram) at(i int, part float64) float64 {
	if h.Exact {
		return h.Low + float64(float64(i)*h.Width)
	}
	return h.Low + float64((float64(i)+part)*h.Width)
}

// Divided returns the statistics of the samples divided by a number.
func (s *Dataset) Divided(by float64) *Dataset {
	divided := &Dataset{Bands: slices.Clone(s.Bands)}
	for i := range divided.Bands {
		b := &divided.Bands[i]
		b.Min, b.Max, b.Mean, b.StdDev = b.Min/by, b.Max/by, b.Mean/by, b.StdDev/by
		b.Histogram.Low, b.Histogram.Width = b.Histogram.Low/by, b.Histogram.Width/by
	}
	return divided
}
