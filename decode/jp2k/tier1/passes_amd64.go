//go:build !purego

package tier1

import "golang.org/x/sys/cpu"

// hasFastInstructions tells whether the processor shifts by any register, and finds first and last bits.
var hasFastInstructions = cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasLZCNT

// passFrame is what a pass in assembly takes. Steps are in bytes.
type passFrame struct {
	coder *coder
	words *uint64 // of the first column of the first stripe
	out   *int32
	zero  *[512]uint8

	width, stripes int
	lastRows       uint64 // of the last stripe
	stepToStripe   int    // from the end of a row of out to the beginning of the next stripe
	stepAbove      int    // from a word to that of the stripe above
	stepBelow      int
	aboveMask      uint64           // as in the field
	found          int              // the value of a coefficient that is found
	change         int              // by how much one is changed that is refined
	stepToRow      [lastRow + 1]int // by the bit of the row
}

// The passes in assembly.

//go:noescape
func significanceBMI2(p *passFrame)

//go:noescape
func refinementBMI2(p *passFrame)

//go:noescape
func cleanupBMI2(p *passFrame)

// fastPasses are in assembly where the processor can.
func fastPasses() passes[int32] {
	if !hasFastInstructions {
		return plainPasses[int32]()
	}
	return passes[int32]{
		significance: func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); significanceBMI2(&p) },
		refinement:   func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); refinementBMI2(&p) },
		cleanup:      func(d *Decoder, out []int32, plane int) { p := d.frame(out, plane); cleanupBMI2(&p) },
	}
}

// frame makes what a pass of a bit-plane takes. The assembly looks at no bounds: out must have all coefficients of the block that the field was
// reset for.
func (d *Decoder) frame(out []int32, plane int) passFrame {
	const wordBytes, coefficientBytes = 8, 4
	f := &d.field
	p := passFrame{
		coder: &d.coder, words: &f.words[f.start(0)], out: &out[:f.width*f.height][0], zero: f.zero,
		width: f.width, stripes: f.stripes, lastRows: f.rows(f.stripes - 1),
		stepToStripe: (stripeRows - 1) * f.width * coefficientBytes,
		stepAbove:    -f.stride * wordBytes, stepBelow: f.stride * wordBytes,
		aboveMask: f.aboveMask,
		found:     int(found[int32](plane, 0)), change: 1 << plane,
	}
	for row := range stripeRows {
		p.stepToRow[row*rowBits] = row * f.width * coefficientBytes
	}
	return p
}
