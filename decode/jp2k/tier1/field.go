package tier1

// A field holds what is known about the coefficients of a block. It has a slot for each coefficient, in
// the order in which passes scan them: the rows of the first column of a stripe, those of the second,
// and so on. Its groups hold masks of slots. A border surrounds both: a column or a group to the left and
// right, a stripe above and below.
type field struct {
	around      []around // by slot
	stride      int      // slots from a stripe to the next
	groups      []group
	groupStride int // groups from a stripe to the next

	width, height, stripes int

	isCausal bool // coefficients know nothing of the stripe below
	zero     *[aroundPattern]uint8
}

// around tells which of the eight neighbors of a coefficient are significant.
type around uint8

const (
	north around = 1 << iota
	west
	east
	south
	northWest
	northEast
	southWest
	southEast
)

const (
	straightBits  = 4
	straights     = 1<<straightBits - 1
	aroundPattern = 1 << 8 // what may be significant around a coefficient
)

// A group is up to 16 columns of a stripe. Its masks have a bit for each slot.
type group struct {
	inside      uint64 // coefficients of the block
	significant uint64
	visited     uint64 // in the significance pass of this bit-plane
	refined     uint64 // before
}

const (
	stripeRows = 4
	lastRow    = stripeRows - 1

	groupColumns = 16
	groupSlots   = groupColumns * stripeRows
	columnBits   = groupSlots - stripeRows // the bits of a number in a group that tell its column
	columnMask   = 1<<stripeRows - 1
	firstRows    = 0x1111_1111_1111_1111 // the first row of each column
	lastRows     = firstRows << lastRow
	lastColumn   = groupSlots - stripeRows // the slot of the first row of the last column
)

// reset prepares the field for a block.
func (f *field) reset(b *Block) {
	f.width, f.height = b.Width, b.Height
	f.stripes = (b.Height + stripeRows - 1) / stripeRows
	f.stride = (b.Width + 2) * stripeRows
	f.groupStride = (b.Width+groupColumns-1)/groupColumns + 2
	f.isCausal = b.Style&VerticallyCausal != 0
	f.zero = &zeroContexts[b.Orientation]
	f.around = cleared(f.around, f.slots())
	f.groups = cleared(f.groups, f.groupStride*(f.stripes+2))
	for stripe := range f.stripes {
		rows := uint64(firstRows) * (1<<min(b.Height-stripe*stripeRows, stripeRows) - 1)
		groups := f.groupsOf(stripe)
		for i := range groups {
			columns := min(b.Width-i*groupColumns, groupColumns)
			groups[i].inside = rows & (^uint64(0) >> (groupSlots - stripeRows*columns))
		}
	}
}

// cleared returns n zero values, in the memory of s if it has room.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// slots returns the number of slots, with the border.
func (f *field) slots() int { return f.stride * (f.stripes + 2) }

// start returns the first slot of a stripe.
func (f *field) start(stripe int) int { return (stripe+1)*f.stride + stripeRows }

// groupsOf returns the groups of a stripe.
func (f *field) groupsOf(stripe int) []group {
	start := (stripe+1)*f.groupStride + 1
	return f.groups[start : start+f.groupStride-2]
}

// beside returns the slots of a group to the left or right of which something is significant.
func (f *field) beside(at int) uint64 {
	s := f.groups[at].significant
	return s<<stripeRows | s>>stripeRows | f.groups[at-1].significant>>lastColumn | f.groups[at+1].significant<<lastColumn
}

// withNeighbors returns the slots of a group that have significant neighbors.
func (f *field) withNeighbors(at int) uint64 {
	above, below := at-f.groupStride, at+f.groupStride
	beside := f.beside(at)
	rows := beside | f.groups[at].significant
	neighbors := beside | rows<<1&^firstRows | rows>>1&^lastRows | (f.beside(above)|f.groups[above].significant)>>lastRow&firstRows
	if f.isCausal {
		return neighbors
	}
	return neighbors | (f.beside(below)|f.groups[below].significant)<<lastRow&lastRows
}

// markSignificant tells the neighbors of a slot that it is significant.
func (f *field) markSignificant(slot, row int) {
	above, below := f.aboveAndBelow(slot, row)
	f.around[slot-stripeRows] |= east
	f.around[slot+stripeRows] |= west
	f.around[below-stripeRows] |= northEast
	f.around[below] |= north
	f.around[below+stripeRows] |= northWest
	if row == 0 && f.isCausal {
		return
	}
	f.around[above-stripeRows] |= southEast
	f.around[above] |= south
	f.around[above+stripeRows] |= southWest
}

// aboveAndBelow returns the slots above and below one of a row.
func (f *field) aboveAndBelow(slot, row int) (above, below int) {
	above, below = slot-1, slot+1
	switch row {
	case 0:
		above = slot - f.stride + lastRow
	case lastRow:
		below = slot + f.stride - lastRow
	}
	return above, below
}
