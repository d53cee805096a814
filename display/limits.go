package display

import (
	"math"

	"tileserver/display/statistics"
	"tileserver/raster"
)

// How far the dynamic range extends beyond its percentiles, as a fraction of their distance.
const (
	dynamicRangeBelow = 0.2
	dynamicRangeAbove = 0.4
)

// limits returns the samples of a band that become black and white. They are equal if the band
// has a single value or no valid sample.
func (s Stretch) limits(band *statistics.Band) Range {
	if band.Count == 0 {
		return Range{}
	}
	whole := Range{band.Min, band.Max}.bounded()
	within := s.unclampedLimits(band).clampedTo(whole)
	if within.Low < within.High {
		return within
	}
	return whole // nearly all samples are equal: show the few that differ
}

func (s Stretch) unclampedLimits(band *statistics.Band) Range {
	switch s.Kind {
	case Percentile:
		return Range{band.Percentile(s.Low), band.Percentile(s.High)}
	case DynamicRange, PerTile:
		low, high := band.Percentile(defaultLowPercentile), band.Percentile(defaultHighPercentile)
		distance := high - low
		return Range{low - float64(dynamicRangeBelow*distance), high + float64(dynamicRangeAbove*distance)}
	case Deviations:
		distance := float64(s.Count * band.StdDev)
		return Range{band.Mean - distance, band.Mean + distance}
	}
	return Range{band.Min, band.Max}
}

// storedLimits returns the limits from statistics stored in the file.
func (s Stretch) storedLimits(stored *raster.StoredStatistics) Range {
	return s.limits(&statistics.Band{Count: 1, Min: stored.Min, Max: stored.Max, Mean: stored.Mean, StdDev: stored.StdDev})
}

// clampedTo returns r clamped to o. If they do not overlap, it returns the nearest end of o twice.
func (r Range) clampedTo(o Range) Range {
	return Range{min(max(r.Low, o.Low), o.High), max(min(r.High, o.High), o.Low)}
}

// bounded limits r so that its width stays finite.
func (r Range) bounded() Range {
	const half = math.MaxFloat64 / 2
	return r.clampedTo(Range{-half, half})
}
