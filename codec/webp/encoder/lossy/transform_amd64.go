//go:build !purego

package lossy

import "tileserver/internal/cpu"

// The assembly checks no bounds; the functions in this file check them.

//go:noescape
func encodeBlockVector(predicted *[16]uint8, src, dst *uint8, stride int, q *quantizer, levels *block) (end int)

//go:noescape
func encodePairVector(src, dst *uint8, stride int, q *quantizer, levels *[2]block) (ends int)

//go:noescape
func transformWholeVector(out *[16]block, a, b *uint8, stride int)

//go:noescape
func addWholeVector(dst *uint8, stride int, in *[16]block)

//go:noescape
func quantizeVector(levels, coefficients *block, q *quantizer) (end int)

func (q *quantizer) encodeBlock(predicted *[16]uint8, src, dst []uint8, stride int, levels *block) int {
	if !cpu.Has.AVX2 {
		return q.encodeBlockInGo(predicted, src, dst, stride, levels)
	}
	return encodeBlockVector(predicted, &src[:3*stride+4][0], &dst[:3*stride+4][0], stride, q, levels)
}

func (q *quantizer) encodePair(src, dst []uint8, stride int, levels *[2]block) (end0, end1 uint8) {
	if !cpu.Has.AVX2 {
		return q.encodePairInGo(src, dst, stride, levels)
	}
	ends := encodePairVector(&src[:3*stride+8][0], &dst[:3*stride+8][0], stride, q, levels)
	return uint8(ends), uint8(ends >> 8)
}

func transformWhole(out *[16]block, a, b []uint8, stride int) {
	if !cpu.Has.AVX2 {
		transformWholeInGo(out, a, b, stride)
		return
	}
	transformWholeVector(out, &a[:15*stride+16][0], &b[:15*stride+16][0], stride)
}

func addWhole(dst []uint8, stride int, in *[16]block) {
	if !cpu.Has.AVX2 {
		addWholeInGo(dst, stride, in)
		return
	}
	addWholeVector(&dst[:15*stride+16][0], stride, in)
}

func (q *quantizer) quantize(levels, coefficients *block) int {
	if !cpu.Has.AVX2 {
		return q.quantizeInGo(levels, coefficients)
	}
	return quantizeVector(levels, coefficients, q)
}
