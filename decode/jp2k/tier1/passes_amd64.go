//go:build !purego

package tier1

import "tileserver/internal/cpu"

// hasFastInstructions reports whether the processor has the bit instructions that the assembly
// uses: shifts by any register (BMI2), lowest set bit (BMI1) and leading zeros (LZCNT).
func hasFastInstructions() bool { return cpu.Has.BMI1 && cpu.Has.BMI2 && cpu.Has.LZCNT }

// passFrame holds the parameters of a pass in assembly. Steps are in bytes.
type passFrame struct {
	coder *coder
	words *uint64 // of the first column of the first stripe
	out   *int32
	zero  *[512]uint8

	width, stripes int
	lastRows       uint64 // mask of the rows of the last stripe
	stepToStripe   int    // from the end of a row of out to the start of the next stripe
	stepAbove      int    // from a word to the same column's word in the stripe above
	stepBelow      int
	aboveMask      uint64           // the field's aboveMask
	initialValue   int              // magnitude of a coefficient that becomes significant
	change         int              // what refinement adds to or subtracts from a magnitude
	stepToRow      [lastRow + 1]int // from row 0, by the bit position of the row
}

// The passes in assembly. Their Go twins are significancePass, refinementPass and cleanupPass.

//go:noescape
func significanceBMI2(p *passFrame)

//go:noescape
func refinementBMI2(p *passFrame)

//go:noescape
func cleanupBMI2(p *passFrame)

// fastPasses returns the passes in assembly if the processor can run them, else those in Go.
func fastPasses() passes[int32] {
	if !hasFastInstructions() {
		return plainPasses[int32]()
	}
	return passes[int32]{
		significance: func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); significanceBMI2(&p) },
		refinement:   func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); refinementBMI2(&p) },
		cleanup:      func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); cleanupBMI2(&p) },
	}
}

// frame returns the parameters for a pass of a bit-plane. The assembly checks no bounds: out must
// hold all coefficients of the block that the field was reset for.
func (d *Decoder) frame(out []int32, plane int) passFrame {
	const wordBytes, coefficientBytes = 8, 4
	f := &d.field
	p := passFrame{
		coder: &d.coder, words: &f.words[f.start(0)], out: &out[:f.width*f.height][0], zero: f.zero,
		width: f.width, stripes: f.stripes, lastRows: f.rows(f.stripes - 1),
		stepToStripe: (stripeRows - 1) * f.width * coefficientBytes,
		stepAbove:    -f.stride * wordBytes, stepBelow: f.stride * wordBytes,
		aboveMask:    f.aboveMask,
		initialValue: int(initialValue[int32](plane, 0)), change: 1 << plane,
	}
	for row := range stripeRows {
		p.stepToRow[row*rowBits] = row * f.width * coefficientBytes
	}
	return p
}
