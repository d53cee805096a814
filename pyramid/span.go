package pyramid

import "tileserver/raster"

// span is one direction of a level, across or down: the level has pixels from 0 on, and the
// image lies between first and limit. These are seldom the ends of the pixels. An image of
// 601 halved thrice has 76 of them, the last of which reaches from 600 to 608; and where a
// level has every eighth sample of the image, its pixels are about the middles of those, and
// the image may begin or end within half a pixel beside them.
type span struct {
	pixels       int64 // where they end
	first, limit int64

	// reach is how far behind the image positions are drawn in, if they are: a view of
	// whole pixels shows there what the image has nearest.
	reach int64
}

// spans returns those of the level that a plan reads.
func (p *Pyramid) spans(plan *Plan) (across, down span) {
	finest, l := p.info.Levels[0], p.info.Levels[plan.Level]
	across = newSpan(l.Width, finest.Width, l.OffsetX, l.ScaleX)
	down = newSpan(l.Height, finest.Height, l.OffsetY, l.ScaleY)
	if plan.View.Whole {
		across.drawIn(plan.ScaleX)
		down.drawIn(plan.ScaleY)
	}
	return across, down
}

func newSpan(pixels, finestPixels int, offset, scale float64) span {
	return span{
		pixels: int64(pixels) << fractionBits,
		first:  toFixed(-offset / scale), limit: toFixed((float64(finestPixels) - offset) / scale),
	}
}

// drawIn draws in positions up to half a pixel of the view behind the image, each of which
// spans scale pixels of the level. Where all pixels begin with the image, the last one is
// the image's to its end.
func (s *span) drawIn(scale float64) {
	s.reach = toFixed(scale / 2)
	if s.first == 0 {
		s.limit = s.pixels
	}
}

// isPlain reports whether a position is one of the image and of the level's pixels.
func (s *span) isPlain(at int64) bool {
	return at >= max(s.first, 0) && at < min(s.limit, s.pixels)
}

// drawn returns where a position is drawn, if it sees the image: beside the level's pixels the
// image is as at their end.
func (s *span) drawn(at int64) (on int64, sees bool) {
	if at >= s.limit && at-s.reach < s.limit {
		return s.pixels - halfPixel, true
	}
	return min(max(at, 0), s.pixels-1), at >= s.first && at < s.limit
}

// drawnBetween returns the least and the most place where positions are drawn that lie between
// two of them and see the image.
func (s *span) drawnBetween(a, b int64) (least, most int64) {
	last := min(s.limit, s.pixels) - 1
	least = min(max(min(a, b), 0), last)
	if s.reach > 0 && max(a, b) >= s.limit {
		return min(least, s.pixels-halfPixel), max(last, s.pixels-halfPixel)
	}
	return least, max(min(max(a, b), last), 0)
}

// under returns the interval of pixels to which positions are drawn that lie on the pixels from
// one to another, be these beside the level.
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

// under returns the rectangle of the level that positions in r are drawn to.
func (w *warp) under(r raster.Rect) raster.Rect {
	r.X0, r.X1 = w.across.under(r.X0, r.X1)
	r.Y0, r.Y1 = w.down.under(r.Y0, r.Y1)
	return r
}
