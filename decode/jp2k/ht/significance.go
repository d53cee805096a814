package ht

// Refinement works on stripes of four rows, divided into groups of four columns. A group is a word
// of 16 bits, column by column, each from top to bottom.
const (
	stripeRows   = 4
	groupColumns = 4
	groups       = MaxSide / groupColumns
	topOfGroup   = 0x1111
	bottomOfAll  = 0x888888 // of a group and the columns beside it
	topOfAll     = 0x111111
)

// stripe holds the significance of samples, by group, with an empty group at both ends.
type stripe [groups + 2]uint16

// around returns the significance of a group and of the columns on both sides.
func (s *stripe) around(group int) uint32 {
	return uint32(s[group])>>12 | uint32(s[group+1])<<4 | uint32(s[group+2])&15<<20
}

// inside returns the mask of a group's samples inside the block, where so many columns and rows are
// left.
func inside(columns, rows int) uint16 {
	mask := uint16(topOfGroup)
	if columns < groupColumns {
		mask &= 1<<(4*columns) - 1
	}
	return mask * (1<<min(rows, stripeRows) - 1)
}

// gather collects the samples that the cleanup pass found significant in the stripe at row y. Below
// the block the stripe is empty.
func (s *stripe) gather(b *Block, y int, pairs []uint64, stride int) {
	if y >= b.Height {
		*s = stripe{}
		return
	}
	upper := pairs[y/2*stride:][:stride]
	lower := upper
	if y+2 < b.Height {
		lower = pairs[(y/2+1)*stride:][:stride]
	}
	columns := (b.Width + groupColumns - 1) / groupColumns
	s[columns+1] = 0
	for group := range columns {
		significant := columnsOf(upper[group]) | columnsOf(lower[group])<<2
		s[group+1] = significant & inside(b.Width-groupColumns*group, b.Height-y)
	}
}

// columnsOf returns the upper halves of the four columns that a pair of quads covers.
func columnsOf(pair uint64) uint16 {
	first, second := uint16(pair>>significantBit)&15, uint16(pair>>(32+significantBit))&15
	return first&3 | first&12<<2 | second&3<<8 | second&12<<10
}

// nearSignificant returns the mask of a group's samples that are significant or have a significant
// neighbor.
func nearSignificant(above, here, below uint32) uint16 {
	const all = bottomOfAll | bottomOfAll>>1 | bottomOfAll>>2 | topOfAll
	vertical := here | here<<1&(all&^topOfAll) | here>>1&(all&^bottomOfAll) | above&bottomOfAll>>3 | below&topOfAll<<3
	return uint16((vertical | vertical<<4 | vertical>>4) >> 4)
}

// laterNeighbors are the neighbors of each sample that are decoded after it.
var laterNeighbors = func() (neighbors [16]uint16) {
	for sample := range neighbors {
		column, row := sample/4, sample%4
		if row < 3 {
			neighbors[sample] |= 2 << sample
		}
		if column < 3 {
			neighbors[sample] |= uint16(neighborRows(row)) << (4 * (column + 1))
		}
	}
	return neighbors
}()

// neighborRows returns the mask of the rows of a column that are neighbors of a row in the column
// before.
func neighborRows(row int) int { return 7 << row >> 1 & 15 }
