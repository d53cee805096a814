package statistics

import (
	"math"

	"tileserver/raster"
)

const (
	// fineBins is the number of bins for the range that holds nearly all samples.
	fineBins = 4096
	// maxExactBins is the largest number of integers that are counted individually.
	maxExactBins = 1 << 16
	// outlierShare is the fraction of samples at each end that must not widen the bins.
	outlierShare = 0.001
	// maxExactInteger is the largest integer up to which a float64 represents each one.
	maxExactInteger = 1 << 53
)

// A twoPassCollector collects samples with too many different values to count each. The first
// pass finds their range and, by the leading bits of their floating-point form, the range of
// nearly all of them. Otherwise a few outliers, such as an undeclared nodata value, would leave
// all other samples in one bin. The second pass counts samples in bins.
type twoPassCollector[T raster.Sample] struct {
	integers bool
	second   bool
	total    uint64
	count    uint64
	min, max float64
	sum      float64
	mean     float64
	squares  float64
	leading  []uint64 // counts by leading bits
	bins     Histogram
}

func newTwoPassCollector[T raster.Sample](integers bool) *twoPassCollector[T] {
	return &twoPassCollector[T]{integers: integers, min: math.Inf(1), max: math.Inf(-1), leading: make([]uint64, 1<<leadingBits)}
}

// add sums each tile separately, which loses less precision of small samples.
func (s *twoPassCollector[T]) add(t raster.Tile, band int, coverage []uint8) {
	samples := raster.Samples[T](t, band)
	if s.second {
		s.squares += s.addToBins(samples, coverage)
		return
	}
	s.total += uint64(len(samples))
	s.sum += s.addToRange(samples, coverage)
}

func (s *twoPassCollector[T]) addToRange(samples []T, coverage []uint8) (sum float64) {
	for i, sample := range samples {
		v := float64(sample)
		if coverage != nil && coverage[i] != raster.Valid || !isFinite(v) {
			continue
		}
		s.count++
		s.leading[leading(v)]++
		s.min, s.max = min(s.min, v), max(s.max, v)
		sum += v
	}
	return sum
}

func (s *twoPassCollector[T]) addToBins(samples []T, coverage []uint8) (squares float64) {
	for i, sample := range samples {
		v := float64(sample)
		if coverage != nil && coverage[i] != raster.Valid || !isFinite(v) {
			continue
		}
		s.bins.add(v)
		off := v - s.mean
		squares += float64(off * off)
	}
	return squares
}

func (s *twoPassCollector[T]) passes() int { return 2 }

// endPass computes the mean and the bins after the first pass.
func (s *twoPassCollector[T]) endPass() bool {
	if s.second || s.count == 0 {
		return false
	}
	s.second = true
	s.mean = s.sum / float64(s.count)
	if s.integers && s.max-s.min < maxExactBins && max(-s.min, s.max) <= maxExactInteger {
		s.bins = Histogram{Low: s.min, Width: 1, Counts: make([]uint64, int(s.max-s.min)+1), Exact: true}
		return true
	}
	r := s.centralRange().clampedTo(span{s.min, s.max})
	s.bins = Histogram{Low: r.low, Width: r.high/fineBins - r.low/fineBins, Counts: make([]uint64, fineBins)}
	return true
}

// centralRange returns the range without the outliers at both ends.
func (s *twoPassCollector[T]) centralRange() span {
	outliers := uint64(float64(s.count) * outlierShare)
	low, high := 0, len(s.leading)-1
	for sum := s.leading[low]; sum <= outliers; sum += s.leading[low] {
		low++
	}
	for sum := s.leading[high]; sum <= outliers; sum += s.leading[high] {
		high--
	}
	return span{leadingValue(low), leadingValue(high + 1)}
}

func (s *twoPassCollector[T]) statistics() Band {
	if s.count == 0 {
		return Band{Total: s.total}
	}
	return Band{
		Count: s.count, Total: s.total, Min: s.min, Max: s.max,
		Mean: s.mean, StdDev: math.Sqrt(s.squares / float64(s.count)), Histogram: s.bins,
	}
}

// add counts v. Values beyond the ends count in the first or the last bin.
func (h *Histogram) add(v float64) {
	last := len(h.Counts) - 1
	at := (v - h.Low) / h.Width
	switch {
	case !(at > 0):
		h.Counts[0]++
	case at >= float64(last):
		h.Counts[last]++
	default:
		h.Counts[int(at)]++
	}
}

// leadingBits covers the sign, the exponent and the top of the fraction of a float64.
const leadingBits = 16

const signBit = 1 << 63

// leading returns the leading bits of v, transformed to ascend with v.
func leading(v float64) uint16 {
	bits := math.Float64bits(v)
	if bits&signBit != 0 {
		return uint16(^bits >> (64 - leadingBits))
	}
	return uint16((bits | signBit) >> (64 - leadingBits))
}

// leadingValue returns the smallest float64 with the leading bits n. It is infinite at both ends.
func leadingValue(n int) float64 {
	bits := uint64(n) << (64 - leadingBits)
	var v float64
	if bits&signBit != 0 {
		v = math.Float64frombits(bits &^ signBit)
	} else {
		v = math.Float64frombits(^bits)
	}
	if math.IsNaN(v) {
		return math.Copysign(math.Inf(1), v)
	}
	return v
}
