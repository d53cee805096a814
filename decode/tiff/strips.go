package tiff

import (
	"tileserver/decode/blocks"
	"tileserver/decode/tiff/coding"
	"tileserver/raster"
)

// A unit is what is stored and decoded as one. A block is what callers request. A tile is both. A
// strip often makes a bad block: if it holds all rows it is too large; if it holds one row it is
// too small, since every block costs a cache entry and a job. So an uncompressed strip of the whole
// image is split into units of some rows, several short strips form one block, and long rows are
// split into blocks of some columns if the codec can stop before the end of a row.

const (
	// stripBlockBytes is roughly the size of a block of strips as pixels.
	stripBlockBytes = 256 << 10

	// columnWidth is the width of the blocks that long rows are split into. It is several map tiles
	// wide, since everything left of a block is decoded with it.
	columnWidth = 4096
)

// chooseUnits sets the sizes of units and blocks.
func (d *directory) chooseUnits() {
	d.unitWidth, d.unitHeight = d.blockWidth, d.blockHeight
	if d.tiled {
		return
	}
	if d.coding.Compression == coding.None && d.stripHeight >= d.height && !d.coding.Subsampled {
		rowBits := int64(d.width) * d.samples.PixelBits()
		d.unitHeight = int(min(max(stripBlockBytes*8/rowBits, 1), int64(d.height)))
		d.blockHeight = d.unitHeight
		return
	}
	if d.stripHeight == 1 && d.width >= 2*columnWidth && d.coding.Codec != "" && blocks.HasColumns(d.coding.Codec, &d.coding.Layout) {
		d.blockWidth = columnWidth
	}
	rowBytes := int64(d.blockWidth) * int64(d.samples.Count) * int64(max(d.samples.Type.Size(), 1))
	for rowBytes <= stripBlockBytes/2/int64(d.blockHeight) && d.blockHeight < d.height {
		d.blockHeight *= 2
	}
	d.blockHeight = min(d.blockHeight, d.height)
}

// splitsStrip reports whether a strip is split into several units.
func (g *grid) splitsStrip() bool { return !g.tiled && g.unitHeight < g.stripHeight }

// hasColumnBlocks reports whether a unit is split into blocks of some columns.
func (g *grid) hasColumnBlocks() bool { return g.blockWidth < g.unitWidth }

// unitColumns and unitRows return the size of the grid of units.
func (g *grid) unitColumns() int { return (g.width + g.unitWidth - 1) / g.unitWidth }
func (g *grid) unitRows() int    { return (g.height + g.unitHeight - 1) / g.unitHeight }

// unitRange returns the units of a block: those of column col from row up to endRow.
func (g *grid) unitRange(id raster.BlockID) (col, row, endRow int) {
	if g.isDivided() {
		row = id.Row * g.partHeight / g.unitHeight
		return id.Col * g.partWidth / g.unitWidth, row, row + 1
	}
	if g.tiled {
		return id.Col, id.Row, id.Row + 1
	}
	row = id.Row * g.unitsInBlock()
	return 0, row, min(row+g.unitsInBlock(), g.unitRows())
}

// unitsInBlock returns how many units, one below the other, make up a block.
func (g *grid) unitsInBlock() int { return (g.blockHeight + g.unitHeight - 1) / g.unitHeight }

// storedRows returns how many rows a unit holds. The last strip has only the rows that are left; a
// tile is always complete.
func (g *grid) storedRows(row int) int {
	if g.tiled {
		return g.unitHeight
	}
	return min(g.unitHeight, g.height-row*g.unitHeight)
}
