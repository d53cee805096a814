//go:build !purego

package tier1

import "unsafe"

// passFrame holds the parameters of a pass in assembly.
type passFrame struct {
	coder  *coder
	around *around // of the first slot
	values *int32
	groups *group

	zero      *[aroundPattern]uint8
	sign      *[aroundPattern]signContext
	following *[groupSlots]uint64
	states    *[2]state

	width, stripes int                // in groups, and in stripes
	groupStride    int                // in bytes
	toStripe       int                // slots from the end of a stripe's groups to the next stripe
	fromBelow      uint64             // the rows that see the stripe below
	steps          [stripeRows][2]int // to the slots above and below, by row
	firstTold      int                // the first row that tells the one above

	positive int // the value of a coefficient that becomes significant, but for its sign
	change   int // what a further bit adds to a value, or takes from it
}

// The passes in assembly. Their Go twins are significancePass, refinementPass and cleanupPass.

//go:noescape
func significanceInAssembly(f *passFrame)

//go:noescape
func refinementInAssembly(f *passFrame)

//go:noescape
func cleanupInAssembly(f *passFrame)

// fastPasses returns the passes in assembly.
func fastPasses() passes[int32] {
	return passes[int32]{
		oneByOne(func(p plane[int32]) { f := frameOf(p); significanceInAssembly(&f) }),
		oneByOne(func(p plane[int32]) { f := frameOf(p); refinementInAssembly(&f) }),
		oneByOne(func(p plane[int32]) { f := frameOf(p); cleanupInAssembly(&f) }),
	}
}

// frameOf returns the parameters for a pass. The assembly checks no bounds: values must have all
// slots of the block that the field was reset for.
func frameOf(p plane[int32]) passFrame {
	f := &p.field
	groups, start := f.groupsOf(0), f.start(0)
	frame := passFrame{
		coder: &p.coder, around: &f.around[start], values: &p.values[:f.slots()][start], groups: &groups[0],
		zero: f.zero, sign: &signContexts, following: &following, states: &transitions[0],
		width: len(groups), stripes: f.stripes, groupStride: f.groupStride * int(unsafe.Sizeof(group{})),
		toStripe: f.stride - len(groups)*groupSlots, fromBelow: lastRows,
		positive: int(initialValue[int32](p.number, 0)), change: 1 << p.number,
	}
	for row := range frame.steps {
		above, below := f.aboveAndBelow(0, row)
		frame.steps[row] = [2]int{above, below}
	}
	if f.isCausal {
		frame.firstTold, frame.fromBelow = 1, 0
	}
	return frame
}
