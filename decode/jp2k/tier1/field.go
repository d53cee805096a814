package tier1

// A field is what the coefficients of a block are known to be, packed for the contexts: a word for each column of a stripe
// (four rows), with a column of words to the left and right and a row of them above and below. A word has
//
//	bits 0-17   which of 3 x 6 coefficients are significant: the four of the column and all around them, three bits a row
//	bits 32-49  which of these are negative
//	bits 18+3r  that row r of the column was visited in this bit-plane's first pass
//	bits 19+3r  that row r of the column was refined before
//
// so that a word moved right by 3r has what row r needs in the same places.
type field struct {
	words         []uint64
	stride        int // from a stripe to the next
	width, height int
	stripes       int
	aboveMask     uint64 // what a stripe tells the one above: nothing if contexts are vertically causal
	zero          *[512]uint8
}

// Where things are in a word for row 0.
const (
	ownBit     = 4
	eastBit    = 5
	westBit    = 3
	visitedBit = 18
	refinedBit = 19
	signBits   = 32 // from significance to sign

	rowBits     = 3
	stripeRows  = 4
	allRows     = 1 | 1<<rowBits | 1<<(2*rowBits) | 1<<(3*rowBits) // a bit for each row
	allVisited  = allRows << visitedBit
	significant = 1<<18 - 1
	aroundMask  = 0x1EF // the neighbours of a coefficient
	lastRow     = 3 * rowBits

	// From a row of a column to what it is for the column to the right in the stripe above, and below, if anything.
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

// rows has a bit for each row that a stripe has.
func (f *field) rows(stripe int) uint64 {
	return allRows & (1<<(rowBits*min(f.height-stripe*stripeRows, stripeRows)) - 1)
}

// start is the word of a stripe's first column.
func (f *field) start(stripe int) int { return (stripe+1)*f.stride + 1 }

// withNeighbours has a bit for each row of a column whose coefficient has significant neighbours.
func withNeighbours(word uint64) uint64 {
	s := word & significant
	rows := s | s>>1 | s>>2
	return (s>>westBit | s>>eastBit | rows | rows>>(2*rowBits)) & allRows
}

// signify notes that a coefficient became significant: in its own column and in all around it. Only the highest and the lowest row have
// neighbours in another stripe; for others nothing is left of the mark there.
func (f *field) signify(at int, shift uint, negative uint64) {
	mark := (1 | negative<<signBits) << shift
	note(f.words[at-1:at+2], mark<<westBit)
	other := at + f.stride
	if shift == 0 {
		other = at - f.stride
	}
	note(f.words[other-1:other+2], mark<<aboveShift&f.aboveMask|mark>>belowShift&belowMask)
}

// note adds a mark to a column and to those beside it, given where it is for the one to the right.
func note(columns []uint64, mark uint64) {
	_ = columns[2]
	columns[0] |= mark << (eastBit - westBit)
	columns[1] |= mark << (ownBit - westBit)
	columns[2] |= mark
}
