package ht

// Refinement goes in stripes of four rows, and in these in groups of four columns. A group is 16 bits: column after column, each from
// above.
const (
	stripeRows   = 4
	groupColumns = 4
	groups       = MaxSide / groupColumns
	topOfGroup   = 0x1111
	bottomOfAll  = 0x888888 // of a group and the columns beside it
	topOfAll     = 0x111111
)

// stripe is which samples are significant, by group, with an empty group on both ends.
type stripe [groups + 2]uint16

// around is a group and the columns on both sides.
func (s *stripe) around(group int) uint32 {
	return uint32(s[group])>>12 | uint32(s[group+1])<<4 | uint32(s[group+2])&15<<20
}

// inside is a group's samples that are in a block of which so many columns and rows are left.
func inside(columns, rows int) uint16 {
	mask := uint16(topOfGroup)
	if columns < groupColumns {
		mask &= 1<<(4*columns) - 1
	}
	return mask * (1<<min(rows, stripeRows) - 1)
}

// gather is what the cleanup pass has found significant in the stripe of a block that begins at row y: nothing, below the block.
func (s *stripe) gather(b *Block, y int, pairs []uint64, step int) {
	if y >= b.Height {
		*s = stripe{}
		return
	}
	upper := pairs[y/2*step:][:step]
	lower := upper
	if y+2 < b.Height {
		lower = pairs[(y/2+1)*step:][:step]
	}
	columns := (b.Width + groupColumns - 1) / groupColumns
	s[columns+1] = 0
	for group := range columns {
		significant := columnsOf(upper[group]) | columnsOf(lower[group])<<2
		s[group+1] = significant & inside(b.Width-groupColumns*group, b.Height-y)
	}
}

// columnsOf are the upper halves of four columns, which two quads make.
func columnsOf(pair uint64) uint16 {
	first, second := uint16(pair>>significantBit)&15, uint16(pair>>(32+significantBit))&15
	return first&3 | first&12<<2 | second&3<<8 | second&12<<10
}

// besideSignificant is the samples of a group that have a significant neighbour, or are significant.
func besideSignificant(above, here, below uint32) uint16 {
	const all = bottomOfAll | bottomOfAll>>1 | bottomOfAll>>2 | topOfAll
	vertical := here | here<<1&(all&^topOfAll) | here>>1&(all&^bottomOfAll) | above&bottomOfAll>>3 | below&topOfAll<<3
	return uint16((vertical | vertical<<4 | vertical>>4) >> 4)
}

// laterNeighbours are, by the sample, those that are looked at after it.
var laterNeighbours = func() (neighbours [16]uint16) {
	for sample := range neighbours {
		column, row := sample/4, sample%4
		if row < 3 {
			neighbours[sample] |= 2 << sample
		}
		if column < 3 {
			neighbours[sample] |= uint16(besideColumn(row)) << (4 * (column + 1))
		}
	}
	return neighbours
}()

// besideColumn is the rows of a column that are neighbours of a row in the one before.
func besideColumn(row int) int { return 7 << row >> 1 & 15 }
