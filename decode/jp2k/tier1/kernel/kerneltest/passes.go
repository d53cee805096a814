package kerneltest

// The kinds of passes.
const (
	significance = 0
	refinement   = 1
	cleanup      = 2

	firstRawPass = 10

	segmentationSymbol = 10
)

// What a symbol says.
const (
	sayZero = iota // whether a coefficient stays insignificant
	saySign
	sayMagnitude
	sayRun     // whether a column of four stays insignificant
	sayHighRow // which one of the column does not: two bits
	sayLowRow
	saySegment // a bit of the segmentation symbol
)

// place is where an invocation is. Behind the last stripe is what follows a pass.
type place struct {
	passNumber uint32
	kind       uint32 // of the pass
	stripe     uint32
	column     uint32 // of groups
	isDamaged  bool
}

// group is what an invocation knows of a group, and what it does there.
type group struct {
	significant, negative    rows
	inside, visited, refined uint32 // inside are the slots of coefficients

	left     uint32 // slots to code
	quiet    uint32 // slots of the first row that stand for their columns
	ones     uint32 // slots of which the pass decoded a 1
	expected uint32 // what the next symbol says
	number   uint32 // what symbols spell
}

// enter begins a group, or what follows the last one.
func (v *invocation) enter() {
	v.kind = (v.passNumber + cleanup) % 3
	v.isRaw = v.block.Style&bypass != 0 && v.passNumber >= firstRawPass && v.kind != cleanup
	if v.stripe == 0 && v.column == 0 {
		v.beginPass()
	}
	v.ones, v.quiet, v.number, v.expected = 0, 0, 0, sayZero
	if v.stripe < v.stripes {
		v.enterGroup()
	} else if v.kind == cleanup && v.block.Style&segmentationSymbols != 0 {
		v.left = columnMask << stripeRows
		v.expected = saySegment
	}
}

func (v *invocation) beginPass() {
	if v.passNumber == 0 || v.block.Style&resetContexts != 0 {
		v.beginContexts()
	}
	if v.passNumber == v.until {
		v.beginCodeword()
	}
}

func (v *invocation) enterGroup() {
	record := v.recordOf(v.column, v.stripe)
	own := v.fieldOf(significantField) + record
	signs := v.fieldOf(negativeField) + record
	above := v.columns + 1 // records from a stripe to the next
	below, signsBelow := v.windowOf(own+above), v.Scratch[signs+above]
	if v.block.Style&verticallyCausal != 0 {
		below, signsBelow = 0, 0
	}
	v.significant = rowsOf(v.windowOf(own-above), v.windowOf(own), below)
	v.negative = rowsOf(v.Scratch[signs-above], v.windowOf(signs), signsBelow)
	v.visited = v.Scratch[v.fieldOf(visitedField)+record]
	v.refined = v.Scratch[v.fieldOf(refinedField)+record]
	bottom := min(v.block.Height-v.stripe*stripeRows, stripeRows)
	right := min(v.block.Width-v.column*groupColumns, groupColumns)
	v.inside = firstRows * (1<<bottom - 1) & ((1<<(right*stripeRows) - 1) << stripeRows)

	v.left = v.inside &^ v.significant.own
	withNeighbors := neighbors(v.significant)
	switch v.kind {
	case significance:
		v.left &= withNeighbors
		v.visited = v.left
	case refinement:
		v.left = v.inside & v.significant.own &^ v.visited
		v.expected = sayMagnitude
	default:
		v.left &^= v.visited
		v.quiet = v.quietColumns(withNeighbors)
		v.left &^= v.quiet * (columnMask - 1)
	}
}

// quietColumns returns the columns with four rows, and nothing significant in them and around them: the slot
// of the first row of each.
func (v *invocation) quietColumns(withNeighbors uint32) uint32 {
	loud := withNeighbors | v.significant.own | ^v.inside
	loud |= loud >> 1
	loud |= loud >> 2
	return ^loud & firstRows
}

// takeSymbol decodes a symbol of the first slot that is left.
func (v *invocation) takeSymbol() {
	slot := trailingZeros(v.left)
	if v.expected == sayZero && v.quiet>>slot&1 != 0 {
		v.expected = sayRun
	}
	symbol := v.nextSymbol(v.contextOf(slot))
	isCoded := true // nothing more is to be said of the slot
	switch v.expected {
	case sayZero:
		if isCoded = symbol == 0; !isCoded {
			v.expected = saySign
		}
	case saySign:
		v.found(slot, symbol)
		v.expected = sayZero
	case sayMagnitude:
		v.ones |= symbol << slot
	case sayRun:
		v.expected = sayZero
		if isCoded = symbol == 0; !isCoded {
			v.expected = sayHighRow
		}
	case sayHighRow:
		v.number = symbol << 1
		isCoded = false
		v.expected = sayLowRow
	case sayLowRow:
		v.left = (v.left | columnMask<<slot) &^ (1<<(slot+v.number+symbol) - 1)
		isCoded = false
		v.expected = saySign
	default:
		v.number = v.number<<1 | symbol
	}
	if isCoded {
		v.left &= v.left - 1
	}
}

// contextOf returns the context of a slot.
func (v *invocation) contextOf(slot uint32) uint32 {
	switch v.expected {
	case saySign:
		return v.signContextOf(slot)
	case sayRun:
		return runContext
	case sayHighRow, sayLowRow, saySegment:
		return uniformContext
	}
	return v.neighborContextOf(slot)
}

// neighborContextOf returns the context of a magnitude, or of whether a coefficient becomes significant.
func (v *invocation) neighborContextOf(slot uint32) uint32 {
	first := slot - stripeRows // of the column before
	above, below := v.significant.above>>first, v.significant.below>>first
	horizontal := onesIn(v.significant.own >> first & sides)
	vertical := above>>stripeRows&1 + below>>stripeRows&1
	diagonal := onesIn(above&sides) + onesIn(below&sides)
	if v.expected == sayMagnitude {
		if v.refined>>slot&1 != 0 {
			return magnitudeContext + 2
		}
		return magnitudeContext + min(horizontal+vertical+diagonal, 1)
	}
	switch v.block.Orientation {
	case orientationHH:
		return diagonalZeroContext(diagonal, horizontal+vertical)
	case orientationHL:
		return straightZeroContext(vertical, horizontal, diagonal)
	}
	return straightZeroContext(horizontal, vertical, diagonal)
}

// straightZeroContext returns the context for bands whose edges run in one direction. Neighbors in that
// direction count most.
func straightZeroContext(along, across, diagonal uint32) uint32 {
	switch {
	case along == 2:
		return 8
	case along == 1 && across > 0:
		return 7
	case along == 1:
		return 5 + min(diagonal, 1)
	case across > 0:
		return 2 + across
	}
	return min(diagonal, 2)
}

// diagonalZeroContext returns the context for bands whose edges run along the diagonals.
func diagonalZeroContext(diagonal, straight uint32) uint32 {
	switch {
	case diagonal >= 3:
		return 8
	case diagonal == 2:
		return 6 + min(straight, 1)
	}
	return 3*diagonal + min(straight, 2)
}

// signContextOf returns the context of a sign.
func (v *invocation) signContextOf(slot uint32) uint32 {
	first := slot - stripeRows
	horizontal := contribution(v.significant.own>>first&sides, v.negative.own>>first)
	known := pair(v.significant.above>>slot, v.significant.below>>slot)
	vertical := contribution(known, pair(v.negative.above>>slot, v.negative.below>>slot))
	sum := 3*horizontal + vertical
	if sum < 0 {
		return signContext + uint32(-sum) | 1<<flippedBit
	}
	return signContext + uint32(sum)
}

// pair returns the lowest bits of two masks.
func pair(first, second uint32) uint32 { return first&1 | second&1<<1 }

// contribution returns 1 for positive neighbors, -1 for negative ones, and 0 for both or none.
func contribution(known, negative uint32) int32 {
	return int32(one(known&^negative != 0)) - int32(one(known&negative != 0))
}

// found makes a coefficient significant.
func (v *invocation) found(slot, isNegative uint32) {
	v.ones |= 1 << slot
	v.significant = including(v.significant, slot)
	if isNegative != 0 {
		v.negative = including(v.negative, slot)
	}
	row := slot % stripeRows
	top := slot - row
	if v.kind == significance {
		// Neighbors that follow in the scan are coded, too: one in the column, and three in the next.
		following := (uint32(2)<<row&columnMask | uint32(7)<<row>>1&columnMask<<stripeRows) << top
		more := following & v.inside &^ v.significant.own
		v.left |= more
		v.visited |= more
	} else {
		next := v.quiet & (1 << (top + stripeRows)) // column
		v.quiet &^= next
		v.left |= next * columnMask
	}
}

// leave ends a group, or a pass.
func (v *invocation) leave() {
	if v.stripe == v.stripes {
		v.isDamaged = v.expected == saySegment && v.number != segmentationSymbol
		v.passNumber++
		if v.isDamaged {
			v.passNumber = v.block.Passes
		}
		v.stripe = 0
		return
	}
	v.leaveGroup()
	v.column++
	if v.column == v.columns {
		v.column = 0
		v.stripe++
	}
}

// leaveGroup stores what the pass decoded.
func (v *invocation) leaveGroup() {
	record := v.recordOf(v.column, v.stripe)
	coded := v.ones
	if v.kind == refinement {
		coded = v.inside & v.significant.own &^ v.visited
		v.Scratch[v.fieldOf(refinedField)+record] = v.refined | coded
	} else {
		v.Scratch[v.fieldOf(significantField)+record] = v.significant.own & v.inside
		v.Scratch[v.fieldOf(negativeField)+record] = v.negative.own & v.inside
		v.Scratch[v.fieldOf(visitedField)+record] = v.visited
	}
	// The bit that was decoded, and half of what the planes below may hold.
	plane := v.block.BitPlanes - 1 - (v.passNumber+cleanup)/3
	halves := v.fieldOf(firstPlane+plane) + record
	bits := v.fieldOf(firstPlane+plane+1) + record
	v.Scratch[halves] |= coded
	v.Scratch[bits] = v.Scratch[bits]&^coded | v.ones
}
