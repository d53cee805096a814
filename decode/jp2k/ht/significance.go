package ht

// Refinement works on stripes of four rows. A word holds a bit for each sample of 16 columns: column by
// column, each from top to bottom. Four columns of a stripe are a group.
const (
	stripeRows   = 4
	wordColumns  = 16
	groupColumns = 4
	groupBits    = stripeRows * groupColumns
	topRow       = 0x1111111111111111
	bottomRow    = topRow << 3
	lastColumn   = 64 - stripeRows // where it begins in a word
)

// stripe holds the significance of samples, with an empty word at both ends.
type stripe [MaxSide/wordColumns + 2]uint64

// inside returns the mask of a word's samples inside the block, where so many columns and rows are
// left.
func inside(columns, rows int) uint64 {
	mask := uint64(topRow)
	if columns < wordColumns {
		mask &= 1<<(stripeRows*columns) - 1
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
	words := (b.Width + wordColumns - 1) / wordColumns
	for word := range words {
		s[word+1] = 0
		for group := range wordColumns / groupColumns {
			at := wordColumns/groupColumns*word + group
			s[word+1] |= columnsOf(upper[at], lower[at]) << (groupBits * group)
		}
		s[word+1] &= inside(b.Width-wordColumns*word, b.Height-y)
	}
	s[words+1] = 0
}

// columnsOf returns the group that a pair of quads and the pair below it cover.
func columnsOf(upper, lower uint64) uint64 {
	const (
		both  = 1<<32 + 1
		left  = 3 * both
		right = left << 4
	)
	quads := upper>>significantBit&left | upper>>(significantBit-2)&right |
		lower>>(significantBit-2)&(left<<2) | lower>>(significantBit-4)&(right<<2)
	return quads&0xFF | quads>>24&0xFF00
}

// nearInColumn returns the samples of a word that are significant or are above or below a significant
// sample.
func nearInColumn(above, here, below uint64) uint64 {
	return here | here<<1&^topRow | here>>1&^bottomRow | above&bottomRow>>3 | below&topRow<<3
}

// propagated is what significance propagation does to a column. From the lowest, it holds how many bits
// it takes; which samples of the next column have a significant neighbor in this one; and which become
// significant.
type propagated uint16

const (
	besideBit = 8
	freshBit  = 12
	rowMask   = 1<<stripeRows - 1
)

// propagatedColumns is indexed by the candidates of a column, by its samples with significant
// neighbors, and by the next bits.
var propagatedColumns = newPropagatedColumns()

func newPropagatedColumns() *[1 << (3 * stripeRows)]propagated {
	var columns [1 << (3 * stripeRows)]propagated
	for i := range columns {
		columns[i] = propagateColumn(i>>(2*stripeRows), i>>stripeRows&rowMask, i&rowMask)
	}
	return &columns
}

// propagateColumn decodes which candidates become significant. A candidate is decoded if it has a
// significant neighbor, so a new significant sample adds the one below it.
func propagateColumn(candidates, near, bits int) propagated {
	fresh, taken := 0, 0
	for row := range stripeRows {
		if (near&candidates)>>row&1 == 0 {
			continue
		}
		if bits>>taken&1 != 0 {
			fresh |= 1 << row
			near |= 2 << row
		}
		taken++
	}
	beside := (fresh | fresh<<1 | fresh>>1) & rowMask
	return propagated(taken | beside<<besideBit | fresh<<freshBit)
}
