package rastertest

import "tileserver/raster"

// WithResolutions adds the resolutions of JPEG 2000 to a one-level image whose first pixel lies at
// column left and row top of its grid. Each resolution has the samples at even columns and rows of
// the one before.
func WithResolutions(info raster.Info, count, left, top int) raster.Info {
	finest := info.Levels[0]
	for reduction := 1; reduction <= count; reduction++ {
		l := finest
		l.Width, l.ScaleX, l.OffsetX = reduced(left, finest.Width, reduction)
		l.Height, l.ScaleY, l.OffsetY = reduced(top, finest.Height, reduction)
		info.Levels = append(info.Levels, l)
	}
	return info
}

// reduced returns the position and number of the samples that remain after count samples, starting
// at first, are reduced.
func reduced(first, count, reduction int) (left int, scale, offset float64) {
	step := 1 << reduction
	upward := func(n int) int { return (n + step - 1) >> reduction }
	middle := float64(upward(first)*step-first) + 0.5 // of the first sample
	return upward(first+count) - upward(first), float64(step), middle - float64(step)/2
}

// Ramp returns a sample function whose values are positions: the center of a pixel in pixels of
// level 0. The first band holds the column, the others the row.
func Ramp(info raster.Info) func(level, band, x, y int) (float64, bool) {
	return func(level, band, x, y int) (float64, bool) {
		l := info.Levels[level]
		if band == 0 {
			return l.OffsetX + (float64(x)+0.5)*l.ScaleX, true
		}
		return l.OffsetY + (float64(y)+0.5)*l.ScaleY, true
	}
}
