package masks

import "tileserver/raster"

// Counts counts, for each pixel of a block, the pixels of a finer mask under it.
type Counts struct {
	block      raster.Rect
	valid, all []uint16 // at most about maxScale squared
}

// NewCounts returns the counts of a block before any is made.
func NewCounts(block raster.Rect) Counts {
	pixels := block.Width() * block.Height()
	return Counts{block, make([]uint16, pixels), make([]uint16, pixels)}
}

// Add counts a row of the mask. The row may extend a pixel beyond the block.
func (c *Counts) Add(row int, columns []int, mask []byte) {
	if row < c.block.Y0 || row >= c.block.Y1 {
		return
	}
	first := (row - c.block.Y0) * c.block.Width()
	for i, column := range columns {
		if column < c.block.X0 || column >= c.block.X1 {
			continue
		}
		at := first + column - c.block.X0
		c.all[at]++
		if mask[i] != 0 {
			c.valid[at]++
		}
	}
}

// Coverage returns the share of valid pixels under each pixel of the block.
func (c *Counts) Coverage() []uint8 {
	plane := make([]uint8, len(c.all))
	for i, n := range c.all {
		plane[i] = uint8(uint32(c.valid[i]) * raster.Valid / uint32(max(n, 1)))
	}
	return plane
}
