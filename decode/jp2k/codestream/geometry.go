package codestream

import "tileserver/decode/jp2k/wavelet"

// TileColumns returns the number of columns of tiles.
func (h *Header) TileColumns() int {
	return ceilDiv(h.Image.X1-h.FirstTile.X0, h.FirstTile.Width())
}

// TileRows returns the number of rows of tiles.
func (h *Header) TileRows() int {
	return ceilDiv(h.Image.Y1-h.FirstTile.Y0, h.FirstTile.Height())
}

// Tiles returns the number of tiles. They are numbered row by row.
func (h *Header) Tiles() int { return h.TileColumns() * h.TileRows() }

// TileRect returns the rectangle of a tile on the reference grid.
func (h *Header) TileRect(tile int) wavelet.Rect {
	columns := h.TileColumns()
	x := h.FirstTile.X0 + tile%columns*h.FirstTile.Width()
	y := h.FirstTile.Y0 + tile/columns*h.FirstTile.Height()
	return wavelet.Rect{X0: x, Y0: y, X1: x + h.FirstTile.Width(), Y1: y + h.FirstTile.Height()}.Intersect(h.Image)
}

// ComponentRect returns the rectangle of a component's samples, of all tiles, at a resolution
// reduced by 2^reduction. Sample (x, y) lies at (x*DX<<reduction, y*DY<<reduction) on the reference
// grid.
func (h *Header) ComponentRect(component, reduction int) wavelet.Rect {
	c := h.Components[component]
	return Halved(Sampled(h.Image, c.DX, c.DY), reduction)
}

// Levels returns the number of wavelet levels of a component in tiles without a value of their own.
func (h *Header) Levels(component int) int {
	return tileParameters{tile: &parameters{}, image: &h.parameters}.coding(component).levels
}

// Sampled returns the rectangle of the samples in r, if one sample covers dx x dy points of the
// grid.
func Sampled(r wavelet.Rect, dx, dy int) wavelet.Rect {
	return wavelet.Rect{X0: ceilDiv(r.X0, dx), Y0: ceilDiv(r.Y0, dy), X1: ceilDiv(r.X1, dx), Y1: ceilDiv(r.Y1, dy)}
}

// Halved returns the rectangle of the low-pass samples of r after so many levels of the wavelet.
func Halved(r wavelet.Rect, times int) wavelet.Rect {
	return wavelet.Rect{X0: ceilShift(r.X0, times), Y0: ceilShift(r.Y0, times), X1: ceilShift(r.X1, times), Y1: ceilShift(r.Y1, times)}
}

// bandRect returns the rectangle of a band's samples after so many levels of the wavelet. High-pass
// samples lie between the low-pass samples.
func bandRect(r wavelet.Rect, o wavelet.Orientation, levels int) wavelet.Rect {
	if levels == 0 {
		return r
	}
	right, down := 0, 0
	if o == wavelet.HL || o == wavelet.HH {
		right = 1 << (levels - 1)
	}
	if o == wavelet.LH || o == wavelet.HH {
		down = 1 << (levels - 1)
	}
	return Halved(wavelet.Rect{X0: r.X0 - right, Y0: r.Y0 - down, X1: r.X1 - right, Y1: r.Y1 - down}, levels)
}

// ceilDiv returns a/b, rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }

// ceilShift returns a/2^bits, rounded up, also for negative numbers.
func ceilShift(a, bits int) int { return (a + 1<<bits - 1) >> bits }
