//go:build !purego

package tier1

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// hasFastInstructions reports whether the processor has the bit instructions that the assembly
// uses: shifts by any register (BMI2), lowest set bit (BMI1) and leading zeros (LZCNT).
func hasFastInstructions() bool { return cpu.Has.BMI1 && cpu.Has.BMI2 && cpu.Has.LZCNT }

// passFrame holds the parameters of a pass in assembly. Steps are in bytes of field.around.
type passFrame struct {
	coder  *coder
	around *around // of the first slot
	values *int32
	groups *group
	zero   *[anyAround + 1]uint8

	width, stripes int             // in groups, and in stripes
	groupStride    int             // in bytes
	toStripe       int             // from the end of a stripe's groups to the next stripe
	fromBelow      uint64          // the rows that see the stripe below
	above, below   [stripeRows]int // the steps to the slots above and below, by row; 0 if it is not told
	number         int             // of the bit-plane
	initialValue   int             // of a positive coefficient
}

// The passes in assembly. Their Go twins are significancePass, refinementPass and cleanupPass.

//go:noescape
func significanceBMI2(p, q *passFrame)

//go:noescape
func refinementBMI2(p, q *passFrame)

//go:noescape
func cleanupBMI2(p, q *passFrame)

// fastPasses returns the passes in assembly if the processor can run them, else those in Go.
func fastPasses() passes[int32] {
	if !hasFastInstructions() {
		return plainPasses[int32]()
	}
	return passes[int32]{
		func(p, other plane[int32]) { f := framesOf(p, other); significanceBMI2(&f[0], f.second()) },
		func(p, other plane[int32]) { f := framesOf(p, other); refinementBMI2(&f[0], f.second()) },
		func(p, other plane[int32]) { f := framesOf(p, other); cleanupBMI2(&f[0], f.second()) },
	}
}

// frames are the parameters of one block, or of two.
type frames [2]passFrame

func framesOf(p, other plane[int32]) (f frames) {
	f[0] = frameOf(p)
	if other.Decoder != nil {
		f[1] = frameOf(other)
	}
	return f
}

// second returns the parameters of the second block, or nil.
func (f *frames) second() *passFrame {
	if f[1].coder == nil {
		return nil
	}
	return &f[1]
}

// frameOf returns the parameters for a pass. The assembly checks no bounds: values must have all slots
// of the block that the field was reset for.
func frameOf(p plane[int32]) passFrame {
	const slotBytes = int(unsafe.Sizeof(around(0)))
	f := &p.field
	groups, start := f.groupsOf(0), f.start(0)
	frame := passFrame{
		coder: &p.coder, around: &f.around[start], values: &p.values[:f.slots()][start], groups: &groups[0], zero: f.zero,
		width: len(groups), stripes: f.stripes, groupStride: f.groupStride * int(unsafe.Sizeof(group{})),
		toStripe: (f.stride - len(groups)*groupSlots) * slotBytes, fromBelow: lastRows,
		number: p.number, initialValue: int(initialValue[int32](p.number, 0)),
	}
	for row := range stripeRows {
		frame.above[row], frame.below[row] = -slotBytes, slotBytes
	}
	frame.above[0], frame.below[lastRow] = (lastRow-f.stride)*slotBytes, (f.stride-lastRow)*slotBytes
	if f.isCausal {
		frame.above[0], frame.fromBelow = 0, 0
	}
	return frame
}
