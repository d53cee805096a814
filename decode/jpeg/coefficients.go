package jpeg

// coefficients are the blocks of all components: those of the whole picture if its scans add to each other, and else of
// one row of units, which is used again and again.
type coefficients struct {
	blocks []block
	lasts  []uint8 // of each block, the place of its last coefficient that is not zero, in zigzag order, or a later one
}

// coefficientBytes is what a block takes.
const coefficientBytes = 2*blockSize + 1

// reserve makes room for the components, all of it zero. Each has rows rows of blocks, times its sampling factor.
func (c *coefficients) reserve(parts []component, rows int) {
	total := 0
	for i := range parts {
		parts[i].firstBlock = total
		total += parts[i].storedWide * parts[i].v * rows
	}
	if cap(c.blocks) < total {
		c.blocks, c.lasts = make([]block, total), make([]uint8, total)
		return
	}
	c.blocks, c.lasts = c.blocks[:total], c.lasts[:total]
	clear(c.blocks)
	clear(c.lasts)
}

// row is a row of blocks of a component, as many as are stored.
func (c *coefficients) row(part *component, row int) ([]block, []uint8) {
	at := part.firstBlock + row*part.storedWide
	return c.blocks[at:][:part.storedWide], c.lasts[at:][:part.storedWide]
}
