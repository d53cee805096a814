package encoder

import (
	"math"

	"tileserver/codec/jpeg"
)

const (
	// reciprocalBits is the number of fraction bits of a reciprocal. A scaled coefficient has up to
	// 31 bits only if its reciprocal has at most 20, so the product stays below 2^52.
	reciprocalBits = 40
	reciprocalHalf = 1 << (reciprocalBits - 1)
)

// quantizer holds the steps of one kind of component, in stream order.
type quantizer struct {
	steps    [jpeg.BlockSize]uint8
	divisors [jpeg.BlockSize]divisor
	inLanes  laneDivisors
}

// divisor divides a coefficient by its step and its scale.
type divisor struct {
	shift      uint32 // the coefficient is shifted left by this before the multiplication
	reciprocal int32  // with reciprocalBits fraction bits, shifted right by shift
}

func (d divisor) quotient(coefficient int32) int64 {
	return (int64(coefficient<<(d.shift&31))*int64(d.reciprocal) + reciprocalHalf) >> reciprocalBits
}

// laneDivisors holds the divisors in the order of the vectors.
type laneDivisors struct {
	shifts      [jpeg.BlockSize]uint32
	reciprocals [jpeg.BlockSize]int32
	_           int32 // padding, because the assembly reads one word more
}

// block holds the quantized coefficients of 8 x 8 samples. Their order is that of the vector code:
// rows in pairs, and within a pair the even columns of both rows before the odd ones.
type block struct {
	coefficients [jpeg.BlockSize]int16
	nonzero      uint64 // one bit per nonzero coefficient, in stream order
}

// blockIndex maps the stream order to the index of a coefficient in a block.
var blockIndex = func() (blockIndex [jpeg.BlockSize]uint8) {
	for i, position := range jpeg.Zigzag {
		v, u := position>>3, position&7
		blockIndex[i] = v>>1<<4 | u&1<<3 | v&1<<2 | u>>1
	}
	return blockIndex
}()

// set computes the steps for a quality from 1 to 100, by the rule of libjpeg that all libraries
// follow.
func (q *quantizer) set(base *[jpeg.BlockSize]uint8, quality int) {
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i, position := range jpeg.Zigzag {
		step := min(max((int(base[position])*percent+50)/100, 1), 255)
		q.steps[i] = uint8(step)
		exact := (1 << reciprocalBits) / (float64(step) * coefficientScales[position>>3] * coefficientScales[position&7])
		q.divisors[i] = newDivisor(exact)
		lane := position&^7 | position&1<<2 | position&7>>1 // even columns before the odd ones
		q.inLanes.shifts[lane], q.inLanes.reciprocals[lane] = q.divisors[i].shift, q.divisors[i].reciprocal
	}
}

// newDivisor rounds a reciprocal, and halves it until it has 31 bits. Halving rounds in the same
// direction as the first rounding. The direction decides about coefficients that lie exactly
// between two steps.
func newDivisor(exact float64) (d divisor) {
	rounded := math.Round(exact)
	whole := int64(rounded)
	for whole>>d.shift > math.MaxInt32 {
		d.shift++
	}
	if rounded > exact {
		whole += 1<<d.shift - 1
	}
	d.reciprocal = int32(whole >> d.shift)
	return d
}

// quantize divides the coefficients of a block. It has no branches, because the positions of zeros
// are unpredictable.
func (q *quantizer) quantize(out *block, coefficients *coefficients) {
	nonzero := uint64(0)
	for i, divisor := range &q.divisors {
		value := divisor.quotient(coefficients[jpeg.Zigzag[i]&63])
		out.coefficients[blockIndex[i]&63] = int16(value)
		// The sign bit of one of them is set unless the value is zero.
		nonzero = nonzero>>1 | uint64(value|-value)&(1<<63)
	}
	out.nonzero = nonzero
}

// coefficientScales holds the factors by which transform8 exceeds the orthonormal transform:
// sqrt(8) * sqrt(2) * cos(k*pi/16), but sqrt(8) for the first. They are constants rather than
// results of math.Cos, whose last bit may differ between processors and change a byte of the
// output.
var coefficientScales = [8]float64{
	rootOf8,
	rootOf8 * 1.3870398453221475 * oddScale,
	rootOf8 * 1.3065629648763766 * evenScale,
	rootOf8 * 1.1758756024193588 * oddScale,
	rootOf8,
	rootOf8 * 0.78569495838710235 * oddScale,
	rootOf8 * 0.54119610014619712 * evenScale,
	rootOf8 * 0.27589937928294311 * oddScale,
}

const rootOf8 = 2 * math.Sqrt2
