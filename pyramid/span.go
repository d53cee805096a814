package pyramid

import "tileserver/raster"

// span describes one axis of a level. The level has pixels from 0 on, and the image lies between
// first and limit. These rarely coincide with pixel boundaries. An image 601 pixels wide, halved
// three times, has 76 pixels, the last of which extends from 600 to 608. If a level has every
// eighth sample of the image, its pixels are centered on these samples, and the image may begin or
// end half a pixel beyond them.
type span struct {
	pixels       int64 // the end of the last pixel
	first, limit int64

	// reach is how far beyond the limit positions are moved back into the image, or 0. A view with
	// View.Whole shows the nearest pixel of the image there.
	reach int64
}

// spans returns the spans of the level that a plan reads.
func (p *Pyramid) spans(plan *Plan) (across, down span) {
	finest, l := p.info.Levels[0], p.info.Levels[plan.Level]
	across = newSpan(l.Width, finest.Width, l.OffsetX, l.ScaleX)
	down = newSpan(l.Height, finest.Height, l.OffsetY, l.ScaleY)
	if plan.View.Whole {
		across.extend(plan.ScaleX)
		down.extend(plan.ScaleY)
	}
	return across, down
}

func newSpan(pixels, finestPixels int, offset, scale float64) span {
	return span{
		pixels: int64(pixels) << fractionBits,
		first:  toFixed(-offset / scale), limit: toFixed((float64(finestPixels) - offset) / scale),
	}
}

// extend makes the span accept positions up to half a view pixel beyond the image. scale is the
// size of a view pixel in pixels of the level. If the pixels begin exactly at the image, the last
// pixel counts as image up to its end.
func (s *span) extend(scale float64) {
	s.reach = toFixed(scale / 2)
	if s.first == 0 {
		s.limit = s.pixels
	}
}

// isPlain reports whether a position lies in the image and in the level's pixels.
func (s *span) isPlain(at int64) bool {
	return at >= max(s.first, 0) && at < min(s.limit, s.pixels)
}

// clamp returns the position to sample for a position, and whether it sees the image. Outside the
// level's pixels it is the nearest pixel.
func (s *span) clamp(at int64) (on int64, sees bool) {
	if at >= s.limit && at-s.reach < s.limit {
		return s.pixels - halfPixel, true
	}
	return min(max(at, 0), s.pixels-1), at >= s.first && at < s.limit
}

// clampRange returns the bounds of the clamped positions of all positions between a and b that see
// the image.
func (s *span) clampRange(a, b int64) (low, high int64) {
	last := min(s.limit, s.pixels) - 1
	low = min(max(min(a, b), 0), last)
	if s.reach > 0 && max(a, b) >= s.limit {
		return min(low, s.pixels-halfPixel), max(last, s.pixels-halfPixel)
	}
	return low, max(min(max(a, b), last), 0)
}

// under returns the interval of pixels that are sampled for positions in an interval of pixels.
// Both include their start and exclude their end. The argument may lie outside the level.
func (s *span) under(from, to int) (first, end int) {
	count := int(s.pixels >> fractionBits)
	if to <= 0 && to > int(s.first>>fractionBits) {
		to = 1
	}
	if behind := int((s.limit - s.pixels + s.reach + onePixel - 1) >> fractionBits); from >= count && from < count+behind {
		from = count - 1
	}
	return max(from, 0), min(to, count)
}

// under returns the rectangle of the level that is sampled for positions in r.
func (w *warp) under(r raster.Rect) raster.Rect {
	r.X0, r.X1 = w.across.under(r.X0, r.X1)
	r.Y0, r.Y1 = w.down.under(r.Y0, r.Y1)
	return r
}
