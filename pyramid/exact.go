package pyramid

import "tileserver/raster"

// Exact returns the rectangle of the level that the view shows pixel by pixel, in the same
// orientation. It returns false if pixels are resampled.
func (p *Plan) Exact() (raster.Rect, bool) {
	if len(p.Parts) != 1 {
		return raster.Rect{}, false
	}
	part := &p.Parts[0]
	window, rect := part.Window, p.View.Rect
	if !part.onGrid || part.Rect != rect || window.Width() != rect.Width() || window.Height() != rect.Height() {
		return raster.Rect{}, false
	}
	for i := range part.cells {
		if !part.cells[i].isAt(window.X0-rect.X0, window.Y0-rect.Y0) {
			return raster.Rect{}, false
		}
	}
	return window, true
}

// isAt reports whether the pixels of a cell are pixels of the level at a fixed offset. It checks
// the corners, which suffices because positions are linear in between.
func (k *cell) isAt(right, down int) bool {
	for _, y := range [...]int{k.rect.Y0, k.rect.Y1 - 1} {
		line := k.line(y)
		for _, x := range [...]int{k.rect.X0, k.rect.X1 - 1} {
			u, v := line.at(x - k.x)
			if int(u>>fractionBits) != x+right || int(v>>fractionBits) != y+down {
				return false
			}
		}
	}
	return true
}
