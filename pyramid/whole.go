package pyramid

import (
	"math"

	"tileserver/raster"
)

// An image of 601 pixels halved thrice has 76, the last of which reaches from 600 to 608 and
// has its middle at 604. A view of whole pixels shows there what the image has nearest.

// drawnIn is a position, or the middle of the last pixel if it lies within reach behind that.
func drawnIn(at, limit, reach int64) int64 {
	if at >= limit && at-reach < limit {
		return limit - halfPixel
	}
	return at
}

// drawnIn is the rectangle of the level that positions in r are drawn to.
func (w *warp) drawnIn(r raster.Rect) raster.Rect {
	if !w.whole {
		return r
	}
	if reach := int(math.Ceil(w.scaleX / 2)); r.X0 >= w.level.Width && r.X0-reach < w.level.Width {
		r.X0 = w.level.Width - 1
	}
	if reach := int(math.Ceil(w.scaleY / 2)); r.Y0 >= w.level.Height && r.Y0-reach < w.level.Height {
		r.Y0 = w.level.Height - 1
	}
	return r
}
