//go:build (amd64 || arm64) && !purego

package decoder

import (
	"tileserver/codec/jpeg"
	"tileserver/internal/cpu"
)

// vectorSamples is the number of samples that the assembly processes at a time. The assembly checks
// no bounds; the functions in this file check them. The Go code processes the rest of a row, and
// everything on machines without AVX2 or NEON.
const vectorSamples = 16

//go:noescape
func transformVector(out *uint8, stride int, b *block, q *quantizer)

//go:noescape
func rgbVectors(red, green, blue, luma, cb, cr *uint8, n int)

//go:noescape
func sumVectors(sums *uint16, near, far *uint8, n int)

//go:noescape
func widenVectors(out *uint8, sums *uint16, n int, left, right uint64)

// wholeVectors returns how many of n samples the assembly can process.
func wholeVectors(n int) int {
	if !cpu.Has.Vectors() || n < 0 {
		return 0
	}
	return n &^ (vectorSamples - 1)
}

func transformRow8(out []uint8, stride int, blocks []block, lastIndexes []uint8, q *quantizer) {
	if !cpu.Has.Vectors() {
		transformRow8Go(out, stride, blocks, lastIndexes, q)
		return
	}
	if len(blocks) == 0 {
		return
	}
	lastIndexes = lastIndexes[:len(blocks)]
	_ = out[(jpeg.BlockSide-1)*stride:][:len(blocks)*jpeg.BlockSide]
	for i := range blocks {
		if lastIndexes[i] == 0 {
			flatBlock8(out[jpeg.BlockSide*i:], stride, &blocks[i], q)
		} else {
			transformVector(&out[jpeg.BlockSide*i], stride, &blocks[i], q)
		}
	}
}

func rgbRow8(r, g, b, luma, cb, cr []uint8) {
	n := wholeVectors(min(len(r), len(g), len(b), len(luma), len(cb), len(cr)))
	if n > 0 {
		rgbVectors(&r[0], &g[0], &b[0], &luma[0], &cb[0], &cr[0], n)
	}
	rgbRow8Go(r[n:], g[n:], b[n:], luma[n:], cb[n:], cr[n:])
}

func sumRows8(sums []uint16, near, far []uint8) {
	n := wholeVectors(min(len(sums), len(near), len(far)))
	if n > 0 {
		sumVectors(&sums[0], &near[0], &far[0], n)
	}
	sumRowsGo(sums[n:], near[n:], far[n:])
}

func widenSums8(out []uint8, sums []uint16, left, right uint16) {
	between := out[1 : 2*len(sums)-1]
	n := wholeVectors(min(len(between)/2, len(sums)-1))
	if n > 0 {
		const everyWord = 0x0001000100010001
		widenVectors(&between[0], &sums[0], n, uint64(left)*everyWord, uint64(right)*everyWord)
	}
	widenEnds(out, sums)
	widenBetweenGo(between[2*n:], sums[n:], left, right)
}
