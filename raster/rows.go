package raster

// Rows returns rows y0 to y1 (exclusive) of b as a buffer that shares the memory of b. It has no
// coverage and serves for writing samples only; b, not the result, is frozen.
func (b *Buffer) Rows(y0, y1 int) *Buffer {
	p := b.p
	plane, row := p.width*p.height*p.dataType.Size(), p.width*p.dataType.Size()
	rows := &pixels{width: p.width, height: y1 - y0, bands: p.bands, dataType: p.dataType, planeStep: max(p.planeStep, plane)}
	if y1 > y0 {
		rows.data = p.data[y0*row:]
	}
	return &Buffer{rows}
}
