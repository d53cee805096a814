package lossy

import "tileserver/codec/webp/vp8"

const (
	maxLevel    = 2047
	inverseBits = 16
)

// quantizer divides coefficients by their steps. Its arrays have the order of a block.
type quantizer struct {
	step    [16]uint16
	inverse [16]uint16 // in units of 2^-16, rounded up
	// Added before the division; less than half a step, because small levels cost more than they
	// improve.
	bias [16]uint16
}

// newQuantizer returns a quantizer with separate steps and biases for the first coefficient and for
// the others. Biases are in 256ths of a step. The biases of the others fall by slope per row and
// column, because a nonzero level at a high frequency forces more zeros to be coded.
func newQuantizer(first, others, firstBias, othersBias, slope int) (q quantizer) {
	for i := range q.step {
		step, bias := others, othersBias-slope*(i>>2+i&3)
		if i == 0 {
			step, bias = first, firstBias
		}
		q.step[i] = uint16(step)
		q.inverse[i] = uint16((1<<inverseBits + step - 1) / step)
		q.bias[i] = uint16(step * bias / 256)
	}
	return q
}

// quantizeInGo quantizes coefficients to levels, and replaces them by the values that a decoder
// computes. It returns the index after the last nonzero level.
func (q *quantizer) quantizeInGo(levels, coefficients *block) int {
	end := 0
	for n, i := range vp8.Zigzag {
		i &= 15
		c := int32(coefficients[i])
		sign := c >> 31
		level := int32(uint32((c^sign)-sign+int32(q.bias[i])) * uint32(q.inverse[i]) >> inverseBits)
		level = min(level, maxLevel)
		level = (level ^ sign) - sign
		levels[n] = int16(level)
		coefficients[i] = int16(level * int32(q.step[i]))
		if level != 0 {
			end = n + 1
		}
	}
	return end
}

// encodeBlockInGo encodes the difference between 4x4 samples and their prediction to levels. It
// writes to dst the samples that a decoder computes.
func (q *quantizer) encodeBlockInGo(predicted *[16]uint8, src, dst []uint8, stride int, levels *block) int {
	for y := range 4 {
		copy(dst[y*stride:][:4], predicted[4*y:])
	}
	return q.encodeInPlaceInGo(src, dst, stride, levels)
}

// encodePairInGo encodes two adjacent blocks like encodeBlockInGo. dst holds their prediction.
func (q *quantizer) encodePairInGo(src, dst []uint8, stride int, levels *[2]block) (end0, end1 uint8) {
	end0 = uint8(q.encodeInPlaceInGo(src, dst, stride, &levels[0]))
	end1 = uint8(q.encodeInPlaceInGo(src[4:], dst[4:], stride, &levels[1]))
	return end0, end1
}

func (q *quantizer) encodeInPlaceInGo(src, dst []uint8, stride int, levels *block) int {
	var coefficients block
	transformInGo(&coefficients, src, stride, dst, stride)
	end := q.quantizeInGo(levels, &coefficients)
	if end > 0 {
		vp8.AddBlock(dst, stride, (*[16]int16)(&coefficients))
	}
	return end
}
