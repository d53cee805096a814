package tiff

import (
	"tileserver/decode"
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
	if d.compression == compressionNone && d.stripHeight >= d.height && !d.isSubsampled() {
		rowBits := int64(d.width) * d.blockPixelBits()
		d.unitHeight = int(min(max(stripBlockBytes*8/rowBits, 1), int64(d.height)))
		d.blockHeight = d.unitHeight
		return
	}
	codec, known := d.compression.codec()
	if d.stripHeight == 1 && d.width >= 2*columnWidth && known && decode.HasColumns(codec, &d.layout) {
		d.blockWidth = columnWidth
	}
	rowBytes := int64(d.blockWidth) * int64(d.samples) * int64(max(d.dataType.Size(), 1))
	for rowBytes <= stripBlockBytes/2/int64(d.blockHeight) && d.blockHeight < d.height {
		d.blockHeight *= 2
	}
	d.blockHeight = min(d.blockHeight, d.height)
}

// splitsStrip reports whether a strip is split into several units.
func (d *directory) splitsStrip() bool { return !d.tiled && d.unitHeight < d.stripHeight }

// hasColumnBlocks reports whether a unit is split into blocks of some columns.
func (d *directory) hasColumnBlocks() bool { return d.blockWidth < d.unitWidth }

// unitColumns and unitRows return the size of the grid of units.
func (d *directory) unitColumns() int { return (d.width + d.unitWidth - 1) / d.unitWidth }
func (d *directory) unitRows() int    { return (d.height + d.unitHeight - 1) / d.unitHeight }

// unitRange returns the units of a block: those of column col from row up to endRow.
func (d *directory) unitRange(id raster.BlockID) (col, row, endRow int) {
	if d.tiled {
		return id.Col, id.Row, id.Row + 1
	}
	row = id.Row * d.unitsInBlock()
	return 0, row, min(row+d.unitsInBlock(), d.unitRows())
}

// unitsInBlock returns how many units, one below the other, make up a block.
func (d *directory) unitsInBlock() int { return (d.blockHeight + d.unitHeight - 1) / d.unitHeight }

// storedRows returns how many rows a unit holds. The last strip has only the rows that are left; a
// tile is always complete.
func (d *directory) storedRows(row int) int {
	if d.tiled {
		return d.unitHeight
	}
	return min(d.unitHeight, d.height-row*d.unitHeight)
}
