package raster

// Rows returns the rows from y0 to before y1 of b as a buffer of their own, in the same
// memory: what is written to one is in the other. It has no coverage, and is for
// writing samples only; b is what becomes a tile.
func (b *Buffer) Rows(y0, y1 int) *Buffer {
	p := b.p
	plane, row := p.width*p.height*p.dataType.Size(), p.width*p.dataType.Size()
	rows := &pixels{width: p.width, height: y1 - y0, bands: p.bands, dataType: p.dataType, planeStep: max(p.planeStep, plane)}
	if y1 > y0 {
		rows.data = p.data[y0*row:]
	}
	return &Buffer{rows}
}
