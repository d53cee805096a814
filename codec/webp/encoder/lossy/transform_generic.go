//go:build !amd64 || purego

package lossy

func (q *quantizer) encodeBlock(predicted *[16]uint8, src, dst []uint8, stride int, levels *block) int {
	return q.encodeBlockInGo(predicted, src, dst, stride, levels)
}

func (q *quantizer) encodePair(src, dst []uint8, stride int, levels *[2]block) (end0, end1 uint8) {
	return q.encodePairInGo(src, dst, stride, levels)
}

func transformWhole(out *[16]block, a, b []uint8, stride int) { transformWholeInGo(out, a, b, stride) }

func addWhole(dst []uint8, stride int, in *[16]block) { addWholeInGo(dst, stride, in) }

func (q *quantizer) quantize(levels, coefficients *block) int {
	return q.quantizeInGo(levels, coefficients)
}
