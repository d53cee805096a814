//go:build !purego

package encoder

import (
	"tileserver/codec/jpeg"
	"tileserver/internal/cpu"
)

// vectorPixels is the number of pixels that the assembly processes at a time. The assembly checks
// no bounds; the functions in this file check them. The Go code processes the rest of a row, and
// everything on machines without AVX2.
const vectorPixels = 32

//go:noescape
func convertVectors(luma, cb, cr, pix *uint8, n int, constants *colorConstants)

//go:noescape
func halveVectors(lumaAbove, lumaBelow, cb, cr, above, below *uint8, n int, constants *colorConstants)

//go:noescape
func transformVectors(blocks *block, samples *uint8, stride, n int, divisors *laneDivisors, constants *transformConstants)

//go:noescape
func writeBlocks(end *bitEnd, buffer *uint8, blocks *block, n int, previous int32, codes *codeTables, blockIndex *[jpeg.BlockSize]uint8)

// wholeVectors returns how many of n pixels the assembly can process.
func wholeVectors(n int) int {
	if !cpu.Has.AVX2 || n < 0 {
		return 0
	}
	return n &^ (vectorPixels - 1)
}

func convertRow(luma, cb, cr []uint8, pix []byte) {
	n := wholeVectors(min(len(luma), len(cb), len(cr), len(pix)/3))
	if n > 0 {
		convertVectors(&luma[0], &cb[0], &cr[0], &pix[0], n, &colorVectors)
	}
	convertRowGo(luma[n:], cb[n:], cr[n:], pix[3*n:])
}

func convertRows(lumaAbove, lumaBelow, cb, cr []uint8, above, below []byte) {
	n := wholeVectors(min(len(lumaAbove), len(lumaBelow), 2*len(cb), 2*len(cr), len(above)/3, len(below)/3))
	if n > 0 {
		halveVectors(&lumaAbove[0], &lumaBelow[0], &cb[0], &cr[0], &above[0], &below[0], n, &colorVectors)
	}
	convertRowsGo(lumaAbove[n:], lumaBelow[n:], cb[n/2:], cr[n/2:], above[3*n:], below[3*n:])
}

func transformRow(blocks []block, samples []uint8, stride int, q *quantizer) {
	if !cpu.Has.AVX2 || stride < 0 {
		transformRowGo(blocks, samples, stride, q)
		return
	}
	if len(blocks) > 0 {
		_ = samples[(jpeg.BlockSide-1)*stride:][:len(blocks)*jpeg.BlockSide]
		transformVectors(&blocks[0], &samples[0], stride, len(blocks), &q.inLanes, &transformVectorConstants)
	}
}

func (c *component) write(w *bitWriter, blocks []block) {
	if !cpu.Has.BMI1 || !cpu.Has.BMI2 || len(blocks) == 0 {
		c.writeGo(w, blocks)
		return
	}
	_ = w.buffer[w.end.length:][:len(blocks)*maxBlockBytes+wordBytes]
	writeBlocks(&w.end, &w.buffer[0], &blocks[0], len(blocks), c.previous, c.codes, &blockIndex)
	c.previous = int32(blocks[len(blocks)-1].coefficients[0])
}
