package codestream

// TileColumns is the width of the grid of tiles.
func (h *Header) TileColumns() int {
	return ceilingDivided(h.Image.X1-h.FirstTile.X0, h.FirstTile.Width())
}

// TileRows is the height of the grid of tiles.
func (h *Header) TileRows() int {
	return ceilingDivided(h.Image.Y1-h.FirstTile.Y0, h.FirstTile.Height())
}

// Tiles is the number of tiles. They are numbered row by row.
func (h *Header) Tiles() int { return h.TileColumns() * h.TileRows() }

// TileRect is a tile on the reference grid.
func (h *Header) TileRect(tile int) Rect {
	columns := h.TileColumns()
	x := h.FirstTile.X0 + tile%columns*h.FirstTile.Width()
	y := h.FirstTile.Y0 + tile/columns*h.FirstTile.Height()
	return Rect{x, y, x + h.FirstTile.Width(), y + h.FirstTile.Height()}.Intersect(h.Image)
}

// ComponentRect is where samples of a component are, those of all tiles together, after so many halvings: sample
// (x, y) lies on (x*DX<<reduction, y*DY<<reduction) of the reference grid.
func (h *Header) ComponentRect(component, reduction int) Rect {
	c := h.Components[component]
	return h.Image.sampled(c.DX, c.DY).halved(reduction)
}

// Levels is how many levels the wavelet of a component has in tiles that do not say otherwise.
func (h *Header) Levels(component int) int {
	return settled{tile: &parameters{}, image: &h.parameters}.coding(component).levels
}

// sampled is which samples lie in r where one stands on every so many places of the grid.
func (r Rect) sampled(dx, dy int) Rect {
	return Rect{ceilingDivided(r.X0, dx), ceilingDivided(r.Y0, dy), ceilingDivided(r.X1, dx), ceilingDivided(r.Y1, dy)}
}

// halved is which low-pass samples remain of r after so many levels of the wavelet.
func (r Rect) halved(times int) Rect {
	return Rect{ceilingShifted(r.X0, times), ceilingShifted(r.Y0, times), ceilingShifted(r.X1, times), ceilingShifted(r.Y1, times)}
}

// band is which samples of a band come of r after so many levels of the wavelet. Those of high-pass filters
// stand between the others.
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

// ceilingDivided is a/b, rounded up.
func ceilingDivided(a, b int) int { return (a + b - 1) / b }

// ceilingShifted is a/2^bits, rounded up; of negative numbers too.
func ceilingShifted(a, bits int) int { return (a + 1<<bits - 1) >> bits }
