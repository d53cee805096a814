//go:build !purego

package webp

import "golang.org/x/sys/cpu"

// pixelsATurn is how many pixels the assembly makes at a time. It looks at no bounds.
const pixelsATurn = 32

//go:noescape
func writePixels3(dst, luma, nearU, farU, nearV, farV *uint8, turns int)

//go:noescape
func writePixels4(dst, luma, nearU, farU, nearV, farV *uint8, turns int)

// writePairs writes pixels from the second one of a row on, and returns how many. The assembly writes past its last pixel,
// by less than two of them, so that two are left over.
func (w *rowWriter) writePairs() int {
	const before, after = 1, 2
	turns := (len(w.luma) - before - after) / pixelsATurn
	if turns <= 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	n := turns * pixelsATurn
	dst, luma := w.dst[:(before+n+after)*w.samples], w.luma[:before+n]
	nearU, farU := w.nearU[:1+n/2], w.farU[:1+n/2]
	nearV, farV := w.nearV[:1+n/2], w.farV[:1+n/2]
	write := writePixels3
	if w.samples == 4 {
		write = writePixels4
	}
	write(&dst[before*w.samples], &luma[before], &nearU[0], &farU[0], &nearV[0], &farV[0], turns)
	return n
}
