package codestream

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
func (h *Header) TileRect(tile int) Rect {
	columns := h.TileColumns()
	x := h.FirstTile.X0 + tile%columns*h.FirstTile.Width()
	y := h.FirstTile.Y0 + tile/columns*h.FirstTile.Height()
	return Rect{x, y, x + h.FirstTile.Width(), y + h.FirstTile.Height()}.Intersect(h.Image)
}

// ComponentRect returns the rectangle of a component's samples, of all tiles, at a resolution
// reduced by 2^reduction. Sample (x, y) lies at (x*DX<<reduction, y*DY<<reduction) on the reference
// grid.
func (h *Header) ComponentRect(component, reduction int) Rect {
	c := h.Components[component]
	return h.Image.sampled(c.DX, c.DY).halved(reduction)
}

// Levels returns the number of wavelet levels of a component in tiles without a value of their own.
func (h *Header) Levels(component int) int {
	return tileParameters{tile: &parameters{}, image: &h.parameters}.coding(component).levels
}

// sampled returns the rectangle of the samples in r, if one sample covers dx x dy points of the
// grid.
func (r Rect) sampled(dx, dy int) Rect {
	return Rect{ceilDiv(r.X0, dx), ceilDiv(r.Y0, dy), ceilDiv(r.X1, dx), ceilDiv(r.Y1, dy)}
}

// halved returns the rectangle of the low-pass samples of r after so many levels of the wavelet.
func (r Rect) halved(times int) Rect {
	return Rect{ceilShift(r.X0, times), ceilShift(r.Y0, times), ceilShift(r.X1, times), ceilShift(r.Y1, times)}
}

// band returns the rectangle of a band's samples after so many levels of the wavelet. High-pass
// samples lie between the low-pass samples.
func (r Rect) band(o Orientation, levels int) Rect {
	if levels == 0 {
		return r
	}
	right, down := 0, 0
	if o == HL || o == HH {
		right = 1 << (levels - 1)
	}
	if o == LH || o == HH {
		down = 1 << (levels - 1)
	}
	return Rect{r.X0 - right, r.Y0 - down, r.X1 - right, r.Y1 - down}.halved(levels)
}

// ceilDiv returns a/b, rounded up.
func ceilDiv(a, b int) int { return (a + b - 1) / b }

// ceilShift returns a/2^bits, rounded up, also for negative numbers.
func ceilShift(a, bits int) int { return (a + 1<<bits - 1) >> bits }
