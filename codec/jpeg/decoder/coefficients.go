package decoder

import "tileserver/codec/jpeg"

// coefficients holds the blocks of all components. It holds the whole picture if several scans
// contribute to it; otherwise it holds one row of units and is reused for each row.
type coefficients struct {
	blocks []block
	// Per block, an upper bound of the zigzag index of the last nonzero coefficient.
	lastIndexes []uint8
}

// coefficientBytes is the memory of one block with its last index.
const coefficientBytes = 2*jpeg.BlockSize + 1

// reserve allocates zeroed blocks for the components. Each component gets rows rows of blocks,
// multiplied by its vertical sampling factor.
func (c *coefficients) reserve(components []component, rows int) {
	total := 0
	for i := range components {
		components[i].firstBlock = total
		total += components[i].storedWide * components[i].v * rows
	}
	if cap(c.blocks) < total {
		c.blocks, c.lastIndexes = make([]block, total), make([]uint8, total)
		return
	}
	c.blocks, c.lastIndexes = c.blocks[:total], c.lastIndexes[:total]
	clear(c.blocks)
	clear(c.lastIndexes)
}

// row returns one stored row of blocks of a component with their last indexes.
func (c *coefficients) row(comp *component, row int) ([]block, []uint8) {
	at := comp.firstBlock + row*comp.storedWide
	return c.blocks[at:][:comp.storedWide], c.lastIndexes[at:][:comp.storedWide]
}
