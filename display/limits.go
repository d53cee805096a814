package display

import (
	"math"

	"tileserver/display/statistics"
	"tileserver/raster"
)

// How far the dynamic range goes beyond the percentiles that it is taken from, in parts of
// their distance.
const (
	dynamicRangeBelow = 0.2
	dynamicRangeAbove = 0.4
)

// limits are the samples of a band that become black and white. Where a band has but one
// value, or no valid sample, they are equal.
func (s Stretch) limits(band *statistics.Band) Range {
	if band.Count == 0 {
		return Range{}
	}
	whole := Range{band.Min, band.Max}.bounded()
	within := s.wanted(band).clampedTo(whole)
	if within.Low < within.High {
		return within
	}
	return whole // nearly all samples are alike; the others are what there is to see
}

func (s Stretch) wanted(band *statistics.Band) Range {
	switch s.Kind {
	case Percentile:
		return Range{band.Percentile(s.Low), band.Percentile(s.High)}
	case DynamicRange, Passing:
		low, high := band.Percentile(defaultLowPercentile), band.Percentile(defaultHighPercentile)
		distance := high - low
		return Range{low - float64(dynamicRangeBelow*distance), high + float64(dynamicRangeAbove*distance)}
	case Deviations:
		distance := float64(s.Count * band.StdDev)
		return Range{band.Mean - distance, band.Mean + distance}
	}
	return Range{band.Min, band.Max}
}

// limitsOf are the limits by what a file tells of a band.
func (s Stretch) limitsOf(stored *raster.StoredStatistics) Range {
	return s.limits(&statistics.Band{Count: 1, Min: stored.Min, Max: stored.Max, Mean: stored.Mean, StdDev: stored.StdDev})
}

// clampedTo is r cut off at the ends of o: where they do not meet, the end of o that is
// nearest.
func (r Range) clampedTo(o Range) Range {
	return Range{min(max(r.Low, o.Low), o.High), max(min(r.High, o.High), o.Low)}
}

// bounded keeps the width of r from being infinite.
func (r Range) bounded() Range {
	const half = math.MaxFloat64 / 2
	return r.clampedTo(Range{-half, half})
}
