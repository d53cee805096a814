package tier1

import "math/bits"

// coefficient is the type of the decoded coefficients.
type coefficient interface{ int32 | int64 }

// A plane is a bit-plane of a block that is being decoded.
type plane[C coefficient] struct {
	*Decoder
	values []C // by slot
	number int
}

// A pass codes a part of a bit-plane of one block, or of two if other has a decoder. Two that are decoded
// in turns take less time than one after the other, since each symbol waits for the one before it.
type pass[C coefficient] func(p, other plane[C])

// passes are the three passes of a bit-plane, by kind. Significance passes code the insignificant
// coefficients with significant neighbors, refinement passes the significant ones, cleanup passes the
// rest.
type passes[C coefficient] [kindCount]pass[C]

func plainPasses[C coefficient]() passes[C] {
	return passes[C]{oneByOne(significancePass[C]), oneByOne(refinementPass[C]), oneByOne(cleanupPass[C])}
}

// oneByOne returns a pass that decodes one block after the other.
func oneByOne[C coefficient](decode func(p plane[C])) pass[C] {
	return func(p, other plane[C]) {
		decode(p)
		if other.Decoder != nil {
			decode(other)
		}
	}
}

// A scan goes through the groups of a block, in the order of the passes.
type scan[C coefficient] struct {
	plane[C]
	stripe, x int // of the group
	at        int // its index
	group     *group
	slot      int // its first
}

// newScan returns a scan that is before the first group.
func newScan[C coefficient](p plane[C]) scan[C] {
	return scan[C]{plane: p, x: -groupColumns, at: p.field.groupStride}
}

// next goes to the next group, and reports whether there is one.
func (s *scan[C]) next() bool {
	f := &s.field
	if s.x, s.at = s.x+groupColumns, s.at+1; s.x >= f.width {
		s.stripe, s.x, s.at = s.stripe+1, 0, s.at+2
	}
	if s.stripe == f.stripes {
		return false
	}
	s.group, s.slot = &f.groups[s.at], f.start(s.stripe)+s.x*stripeRows
	return true
}

// isSignificant decodes whether a coefficient becomes significant.
func (s *scan[C]) isSignificant(bit int) bool {
	return s.coder.symbol(s.field.zero[s.field.around[s.slot+bit]]) != 0
}

// found decodes the sign of a coefficient that became significant.
func (s *scan[C]) found(bit int) {
	c := &signContexts[s.straight(bit)]
	s.become(bit, s.coder.symbol(c.context)^uint64(c.mark&1))
}

// straight returns which straight neighbors of a coefficient are significant and which are negative, for
// signContexts.
func (s *scan[C]) straight(bit int) around {
	slot := s.slot + bit
	above, below := s.field.aboveAndBelow(slot, bit%stripeRows)
	signs := isNegative(s.values[below])<<3 | isNegative(s.values[slot+stripeRows])<<2 |
		isNegative(s.values[slot-stripeRows])<<1 | isNegative(s.values[above])
	return s.field.around[slot]<<straightBits | signs
}

// become makes a coefficient significant.
func (s *scan[C]) become(bit int, negative uint64) {
	s.values[s.slot+bit] = initialValue[C](s.number, negative)
	s.group.significant |= 1 << bit
	s.field.markSignificant(s.slot+bit, bit%stripeRows)
}

// withNeighbors returns the coefficients of the group that have significant neighbors.
func (s *scan[C]) withNeighbors() uint64 { return s.field.withNeighbors(s.at) }

// following are the neighbors of a coefficient that a pass scans after it in its group, by its bit.
var following = followingNeighbors()

func followingNeighbors() (table [groupSlots]uint64) {
	for bit := range table {
		table[bit] = [stripeRows]uint64{0x0032, 0x0074, 0x00E8, 0x00C0}[bit%stripeRows] << (bit &^ lastRow)
	}
	return table
}

// wokenBy returns the coefficients of the group that a significance pass has still to code since
// another became significant.
func (s *scan[C]) wokenBy(bit int) uint64 {
	return following[bit] & s.group.inside &^ s.group.significant
}

func significancePass[C coefficient](p plane[C]) {
	for s := newScan(p); s.next(); {
		left := s.withNeighbors() & s.group.inside &^ s.group.significant
		visited := left
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			if s.isSignificant(bit) {
				s.found(bit)
				more := s.wokenBy(bit)
				left |= more
				visited |= more
			}
		}
		s.group.visited = visited
	}
}

func refinementPass[C coefficient](p plane[C]) {
	for s := newScan(p); s.next(); {
		left := s.group.significant &^ s.group.visited
		if left == 0 {
			continue
		}
		neighbors, refined := s.withNeighbors(), s.group.refined
		s.group.refined |= left
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			value := &s.values[s.slot+bit]
			*value = refine(*value, p.number, p.coder.symbol(magnitudeContextOf(refined>>bit, neighbors>>bit)))
		}
	}
}

// magnitudeContextOf returns the context of a coefficient from the lowest bits of two masks.
func magnitudeContextOf(refined, neighbors uint64) uint8 {
	switch {
	case refined&1 != 0:
		return magnitudeContext + 2
	case neighbors&1 != 0:
		return magnitudeContext + 1
	}
	return magnitudeContext
}

func cleanupPass[C coefficient](p plane[C]) {
	for s := newScan(p); s.next(); {
		left := s.group.inside &^ s.group.significant &^ s.group.visited
		s.group.visited = 0
		quiet := s.quietColumns()
		left &^= quiet << 1 * (columnMask >> 1) // the first row stands for the column
		// The assembly has no such short way: there it saves nothing.
		if left == quiet && p.coder.zeros(runContext, bits.OnesCount64(quiet)) {
			continue
		}
		for ; left != 0; left &= left - 1 {
			bit := bits.TrailingZeros64(left)
			if quiet>>bit&1 != 0 {
				if p.coder.symbol(runContext) == 0 {
					continue
				}
				row := p.coder.symbol(uniformContext)<<1 | p.coder.symbol(uniformContext)
				left |= columnMask << bit
				bit += int(row)
				left &^= 1<<bit - 1
			} else if !s.isSignificant(bit) {
				continue
			}
			s.found(bit)
			woken := quiet & (1 << (bit&^lastRow + stripeRows)) // the next column
			quiet &^= woken
			left |= woken * columnMask
		}
	}
}

// quietColumns returns the columns of the group that have four rows, and nothing significant in them
// and around them: the bit of the first row of each.
func (s *scan[C]) quietColumns() uint64 {
	loud := s.withNeighbors() | s.group.significant | ^s.group.inside
	loud |= loud >> 1
	loud |= loud >> 2
	return ^loud & firstRows
}
