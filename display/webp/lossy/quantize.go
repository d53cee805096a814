package lossy

// zigzag is the place of a coefficient in its block.
var zigzag = [16]uint8{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}

const (
	maxLevel    = 2047
	inverseBits = 16
)

// quantizer divides coefficients by their steps. Everything stands in the order of a block.
type quantizer struct {
	step    [16]uint16
	inverse [16]uint16 // in parts of 2^16, rounded up
	bias    [16]uint16 // added before the division: below half a step, as small levels cost more than they are worth
}

// newQuantizer has a step for the first coefficient and one for the others, and biases in parts of 256 of a step. Those of
// the others fall by slope with each row and column: there a level that is not zero keeps others from being left out.
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

// quantizeInGo makes of coefficients what a decoder will have, and levels, which are what is written. It returns how many
// levels there are up to the last that is not zero.
func (q *quantizer) quantizeInGo(levels, coefficients *block) int {
	end := 0
	for n, i := range zigzag {
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

// encodeBlockInGo makes levels of the differences of 4x4 samples from their prediction, and writes to dst what a decoder
// will have.
func (q *quantizer) encodeBlockInGo(predicted *[16]uint8, src, dst []uint8, stride int, levels *block) int {
	for y := range 4 {
		copy(dst[y*stride:][:4], predicted[4*y:])
	}
	return q.encodeInPlaceInGo(src, dst, stride, levels)
}

// encodePairInGo does the same for two blocks side by side, whose prediction is in dst.
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
		addInGo(dst, stride, &coefficients)
	}
	return end
}
