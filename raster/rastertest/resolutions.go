package rastertest

import "tileserver/raster"

// WithResolutions adds to a one-level image the resolutions that JPEG 2000 has of one that
// begins at a column and row of its grid: every second sample of the one before, of those
// at even columns and rows.
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

// reduced returns what is left of samples from a place of the grid on.
func reduced(first, count, reduction int) (left int, scale, offset float64) {
	step := 1 << reduction
	upward := func(n int) int { return (n + step - 1) >> reduction }
	middle := float64(upward(first)*step-first) + 0.5 // of the first sample
	return upward(first+count) - upward(first), float64(step), middle - float64(step)/2
}

// Ramp returns where the middle of a pixel lies, in pixels of level 0: its column in the first
// band, its row in the others.
func Ramp(info raster.Info) func(level, band, x, y int) (float64, bool) {
	return func(level, band, x, y int) (float64, bool) {
		l := info.Levels[level]
		if band == 0 {
			return l.OffsetX + (float64(x)+0.5)*l.ScaleX, true
		}
		return l.OffsetY + (float64(y)+0.5)*l.ScaleY, true
	}
}
