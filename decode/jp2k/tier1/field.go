package tier1

// A field holds what is known about the coefficients of a block, packed for looking up contexts. It
// has one word for each column of a stripe (four rows). A border of words surrounds the block: a
// column to the left and right, a row above and below. The bits of a word are
//
//	bits 0-17   significance of 3 x 6 coefficients: the column's four and all around them, three bits a row
//	bits 32-49  the signs of these, 1 for negative
//	bits 18+3r  row r of the column was visited in the first pass of this bit-plane
//	bits 19+3r  row r of the column was refined before
//
// Shifting a word right by 3r puts the bits for row r at the positions for row 0.
type field struct {
	words         []uint64
	stride        int // words from a stripe to the next
	width, height int
	stripes       int
	aboveMask     uint64 // marks that a stripe passes to the one above; 0 if vertically causal
	zero          *[512]uint8
}

// Positions of bits in a word, for row 0.
const (
	ownBit     = 4
	eastBit    = 5
	westBit    = 3
	visitedBit = 18
	refinedBit = 19
	signBits   = 32 // distance from the significance bit to the sign bit

	rowBits     = 3
	stripeRows  = 4
	allRows     = 1 | 1<<rowBits | 1<<(2*rowBits) | 1<<(3*rowBits) // one bit for each row
	allVisited  = allRows << visitedBit
	significant = 1<<18 - 1
	aroundMask  = 0x1EF // the neighbors of a coefficient
	lastRow     = 3 * rowBits

	// Distance from the bit of a coefficient in its own column to its bit in the column to the
	// right, in the words of the stripe above and below.
	aboveShift = westBit + stripeRows*rowBits
	belowShift = stripeRows*rowBits - westBit
	aboveMask  = (1 | 1<<signBits) << aboveShift
	belowMask  = 1 | 1<<signBits
)

// reset prepares the field for a block.
func (f *field) reset(b *Block) {
	f.width, f.height = b.Width, b.Height
	f.stripes = (b.Height + stripeRows - 1) / stripeRows
	f.stride = b.Width + 2
	f.aboveMask = aboveMask
	if b.Style&VerticallyCausal != 0 {
		f.aboveMask = 0
	}
	f.zero = &zeroContexts[b.Orientation]
	n := f.stride * (f.stripes + 2)
	if cap(f.words) < n {
		f.words = make([]uint64, n)
	}
	f.words = f.words[:n]
	clear(f.words)
}

// rows returns a mask with one bit for each row that the stripe has.
func (f *field) rows(stripe int) uint64 {
	return allRows & (1<<(rowBits*min(f.height-stripe*stripeRows, stripeRows)) - 1)
}

// start returns the index of the word of the stripe's first column.
func (f *field) start(stripe int) int { return (stripe+1)*f.stride + 1 }

// withNeighbors returns a mask with one bit for each row of a column whose coefficient has
// significant neighbors.
func withNeighbors(word uint64) uint64 {
	s := word & significant
	rows := s | s>>1 | s>>2
	return (s>>westBit | s>>eastBit | rows | rows>>(2*rowBits)) & allRows
}

// markSignificant marks a coefficient as significant in its own column and in all columns around
// it. Only the highest and the lowest row have neighbors in another stripe; for other rows the
// shifts and masks leave no mark there.
func (f *field) markSignificant(at int, shift uint, negative uint64) {
	mark := (1 | negative<<signBits) << shift
	addMark(f.words[at-1:at+2], mark<<westBit)
	other := at + f.stride
	if shift == 0 {
		other = at - f.stride
	}
	addMark(f.words[other-1:other+2], mark<<aboveShift&f.aboveMask|mark>>belowShift&belowMask)
}

// addMark adds a mark to a column and to the columns beside it. The mark is given as it appears in
// the column to the right.
func addMark(columns []uint64, mark uint64) {
	_ = columns[2]
	columns[0] |= mark << (eastBit - westBit)
	columns[1] |= mark << (ownBit - westBit)
	columns[2] |= mark
}
