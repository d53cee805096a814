//go:build !purego

package decoder

import "tileserver/internal/cpu"

// pixelsPerBatch is the number of pixels that the assembly writes at a time. The assembly checks no
// bounds.
const pixelsPerBatch = 32

//go:noescape
func writePixels3(dst, luma, nearU, farU, nearV, farV *uint8, batches int)

//go:noescape
func writePixels4(dst, luma, nearU, farU, nearV, farV *uint8, batches int)

// writePairs writes pixels from the second one on, and returns their number. The assembly
// overwrites up to two pixels beyond its last one, so the last two pixels are left to the Go code.
func (w *rowWriter) writePairs() int {
	const before, after = 1, 2
	n := (len(w.luma) - before - after) &^ 1
	if n < pixelsPerBatch || !cpu.Has.AVX2 {
		return 0
	}
	w.writeBatches(0, n/pixelsPerBatch)
	if n%pixelsPerBatch > 0 {
		w.writeBatches(n-pixelsPerBatch, 1) // rewrites some pixels
	}
	return n
}

// writeBatches starts after the first pixel and skip more pixels. skip must be even.
func (w *rowWriter) writeBatches(skip, batches int) {
	n := batches * pixelsPerBatch
	dst, luma := w.dst[(1+skip)*w.samples:][:(n+2)*w.samples], w.luma[1+skip:][:n]
	nearU, farU := w.nearU[skip/2:][:1+n/2], w.farU[skip/2:][:1+n/2]
	nearV, farV := w.nearV[skip/2:][:1+n/2], w.farV[skip/2:][:1+n/2]
	if w.samples == 4 {
		writePixels4(&dst[0], &luma[0], &nearU[0], &farU[0], &nearV[0], &farV[0], batches)
	} else {
		writePixels3(&dst[0], &luma[0], &nearU[0], &farU[0], &nearV[0], &farV[0], batches)
	}
}
