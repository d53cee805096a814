package tiff

import (
	"tileserver/decode"
	"tileserver/raster"
)

// A unit is what is stored as one and decoded by one job, a block what is asked for.
// A tile is both. A strip is often a bad block: one of all rows is too large, one of
// a single row too small, since every block has its place in caches and its jobs.
// So the strip of an image that is not compressed is cut into blocks, short strips
// are bundled into one, and long rows are cut into columns where the codec need not
// go on to the end of the row for those on the left.

const (
	// stripBlockBytes is about the pixels of a block of strips.
	stripBlockBytes = 256 << 10

	// columnWidth is the width of blocks that strips are cut into: several pictures
	// of a map wide, since what lies left of a block is decoded with it.
	columnWidth = 4096
)

// arrange chooses units and blocks.
func (p *page) arrange() {
	p.unitWidth, p.unitHeight = p.blockWidth, p.blockHeight
	if p.tiled {
		return
	}
	if p.compression == compressionNone && p.stripHeight >= p.height && !p.subsampled() {
		rowBits := int64(p.width) * p.pixelBits()
		p.unitHeight = int(min(max(stripBlockBytes*8/rowBits, 1), int64(p.height)))
		p.blockHeight = p.unitHeight
		return
	}
	codec, known := p.compression.codec()
	if p.stripHeight == 1 && p.width >= 2*columnWidth && known && decode.HasColumns(codec, &p.layout) {
		p.blockWidth = columnWidth
	}
	rowBytes := int64(p.blockWidth) * int64(p.samples) * int64(max(p.dataType.Size(), 1))
	for rowBytes <= stripBlockBytes/2/int64(p.blockHeight) && p.blockHeight < p.height {
		p.blockHeight *= 2
	}
	p.blockHeight = min(p.blockHeight, p.height)
}

// chopped tells whether units are parts of a strip.
func (p *page) chopped() bool { return !p.tiled && p.unitHeight < p.stripHeight }

// inColumns tells whether blocks are columns of units.
func (p *page) inColumns() bool { return p.blockWidth < p.unitWidth }

// unitColumns and unitRows are the size of the grid of units.
func (p *page) unitColumns() int { return (p.width + p.unitWidth - 1) / p.unitWidth }
func (p *page) unitRows() int    { return (p.height + p.unitHeight - 1) / p.unitHeight }

// unitsOf are the units that a block is made of: those of a column, from one row to
// before another.
func (p *page) unitsOf(id raster.BlockID) (col, row, endRow int) {
	if p.tiled {
		return id.Col, id.Row, id.Row + 1
	}
	row = id.Row * p.unitsInBlock()
	return 0, row, min(row+p.unitsInBlock(), p.unitRows())
}

// unitsInBlock is how many units a block is made of, one above the other.
func (p *page) unitsInBlock() int { return (p.blockHeight + p.unitHeight - 1) / p.unitHeight }

// storedRows is how many rows a unit holds: the last strip has no more than are
// left, a tile is always whole.
func (p *page) storedRows(row int) int {
	if p.tiled {
		return p.unitHeight
	}
	return min(p.unitHeight, p.height-row*p.unitHeight)
}
