// Package statistics takes the statistics of the samples of a dataset: the same ones by
// every process that does it. It must never know what they are used for.
package statistics

import (
	"math"
	"slices"
)

// Version is counted up when the same dataset begins to have other statistics.
const Version = 1

// Dataset says how the samples of a dataset are spread.
type Dataset struct {
	Bands []Band
}

// Band says how the valid samples of one band are spread. Where there are none,
// Count is 0 and so is all else but Total.
type Band struct {
	Band      int    // of the dataset, counted from 0
	Count     uint64 // of valid samples
	Total     uint64 // of samples, whether valid or not
	Min, Max  float64
	Mean      float64
	StdDev    float64 // of the samples themselves, not of a population that they stand for
	Histogram Histogram
}

// Histogram counts samples in bins of one width, from Low.
type Histogram struct {
	Low, Width float64
	Counts     []uint64

	// Exact says that each bin is one sample, Low and those after it; else a bin is the
	// range from its lower edge to the next.
	Exact bool
}

// Band is the statistics of a band, or nil.
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

// Percentile is the least sample that p percent of the valid samples do not exceed: exact
// for bands of integers that span no more than 65536, else as if samples were spread evenly
// in their bin. p is from 0 to 100.
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

// at is the sample in a part of bin i.
func (h *Histogram) at(i int, part float64) float64 {
	if h.Exact {
		return h.Low + float64(float64(i)*h.Width)
	}
	return h.Low + float64((float64(i)+part)*h.Width)
}

// Divided is the statistics of samples so many times smaller.
func (s *Dataset) Divided(by float64) *Dataset {
	divided := &Dataset{Bands: slices.Clone(s.Bands)}
	for i := range divided.Bands {
		b := &divided.Bands[i]
		b.Min, b.Max, b.Mean, b.StdDev = b.Min/by, b.Max/by, b.Mean/by, b.StdDev/by
		b.Histogram.Low, b.Histogram.Width = b.Histogram.Low/by, b.Histogram.Width/by
	}
	return divided
}
