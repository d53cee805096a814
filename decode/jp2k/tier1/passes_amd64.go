//go:build !purego

package tier1

import (
	"encoding/binary"
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
	zero   *[aroundPattern]uint8
	linked *[linkedBytes]byte

	width, stripes int             // in groups, and in stripes
	groupStride    int             // in bytes
	toStripe       int             // from the end of a stripe's groups to the next stripe
	fromBelow      uint64          // the rows that see the stripe below
	above, below   [stripeRows]int // the steps to the slots above and below, by row
	tells          [stripeRows]int // by row: 1 if the slot above is told what becomes significant
	written        [4]int32        // newValues or changes
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
		func(p, other plane[int32]) { f := framesOf(p, other, newValues); significanceBMI2(&f[0], f.second()) },
		func(p, other plane[int32]) { f := framesOf(p, other, changes); refinementBMI2(&f[0], f.second()) },
		func(p, other plane[int32]) { f := framesOf(p, other, newValues); cleanupBMI2(&f[0], f.second()) },
	}
}

// newValues returns the values that a bit-plane gives to coefficients: twice that of one that is not
// significant, and those of a positive and of a negative one.
func newValues(number int) [4]int32 {
	return [4]int32{2: initialValue[int32](number, 0), 3: initialValue[int32](number, 1)}
}

// changes returns what a bit-plane adds to the values of significant coefficients, by their bit.
func changes(number int) [4]int32 {
	return [4]int32{refine[int32](0, number, 0), refine[int32](0, number, 1)}
}

// frames are the parameters of one block, or of two.
type frames [2]passFrame

func framesOf(p, other plane[int32], written func(number int) [4]int32) (f frames) {
	f[0] = frameOf(p)
	f[0].written = written(p.number)
	if other.Decoder != nil {
		f[1] = frameOf(other)
		f[1].written = written(other.number)
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

// frameOf returns the parameters for a pass, but for what is written. The assembly checks no bounds: values must have all slots
// of the block that the field was reset for.
func frameOf(p plane[int32]) passFrame {
	const slotBytes = int(unsafe.Sizeof(around(0)))
	f := &p.field
	groups, start := f.groupsOf(0), f.start(0)
	frame := passFrame{
		coder: &p.coder, around: &f.around[start], values: &p.values[:f.slots()][start], groups: &groups[0], zero: f.zero, linked: linkedTransitions,
		width: len(groups), stripes: f.stripes, groupStride: f.groupStride * int(unsafe.Sizeof(group{})),
		toStripe: (f.stride - len(groups)*groupSlots) * slotBytes, fromBelow: lastRows,
	}
	for row := range stripeRows {
		frame.above[row], frame.below[row], frame.tells[row] = -slotBytes, slotBytes, 1
	}
	frame.above[0], frame.below[lastRow] = (lastRow-f.stride)*slotBytes, (f.stride-lastRow)*slotBytes
	if f.isCausal {
		frame.tells[0], frame.fromBelow = 0, 0
	}
	return frame
}

// linkedTransitions are transitions for the assembly. Instead of offsets, the states in it have the
// addresses of what follows them in this table, which lies on the heap since that does not move. The
// lowest bit of an address is the more probable symbol, so what follows the states whose symbol is 1 lies
// one byte further on.
var linkedTransitions = newLinkedTransitions()

const linkedBytes = len(transitions)<<transitionsShift + 1

func newLinkedTransitions() *[linkedBytes]byte {
	table := new([linkedBytes]byte)
	base := state(uintptr(unsafe.Pointer(table)))
	for number, next := range transitions {
		at := number<<transitionsShift + number/len(estimates)
		binary.LittleEndian.PutUint64(table[at:], uint64(base+next[0]))
		binary.LittleEndian.PutUint64(table[at+8:], uint64(base+next[1]))
	}
	return table
}
