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
	n := (len(w.luma) - before - after) &^ 1
	if n < pixelsATurn || !cpu.X86.HasAVX2 {
		return 0
	}
	w.writeTurns(0, n/pixelsATurn)
	if n%pixelsATurn > 0 {
		w.writeTurns(n-pixelsATurn, 1) // some pixels once more
	}
	return n
}

// writeTurns begins after the first pixel and as many more as are to be skipped, an even number.
func (w *rowWriter) writeTurns(skip, turns int) {
	n := turns * pixelsATurn
	dst, luma := w.dst[(1+skip)*w.samples:][:(n+2)*w.samples], w.luma[1+skip:][:n]
	nearU, farU := w.nearU[skip/2:][:1+n/2], w.farU[skip/2:][:1+n/2]
	nearV, farV := w.nearV[skip/2:][:1+n/2], w.farV[skip/2:][:1+n/2]
	if w.samples == 4 {
		writePixels4(&dst[0], &luma[0], &nearU[0], &farU[0], &nearV[0], &farV[0], turns)
	} else {
		writePixels3(&dst[0], &luma[0], &nearU[0], &farU[0], &nearV[0], &farV[0], turns)
	}
}
