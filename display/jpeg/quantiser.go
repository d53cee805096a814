package jpeg

import "math"

const (
	// reciprocalBits are the fraction bits of a reciprocal: a scaled coefficient has up to 31 bits where its reciprocal
	// has 20 or less, and the product stays below 2^52.
	reciprocalBits = 40
	reciprocalHalf = 1 << (reciprocalBits - 1)
)

// quantiser holds the steps of one kind of component, in the order of the stream.
type quantiser struct {
	steps    [blockSize]uint8
	divisors [blockSize]divisor
	inLanes  laneDivisors
}

// A divisor divides a coefficient by its step times its scale.
type divisor struct {
	shift      uint32 // how often the coefficient is doubled before
	reciprocal int32  // with reciprocalBits, halved as often
}

func (d divisor) quotient(coefficient int32) int64 {
	return (int64(coefficient<<(d.shift&31))*int64(d.reciprocal) + reciprocalHalf) >> reciprocalBits
}

// laneDivisors are divisors in the order of the vectors.
type laneDivisors struct {
	shifts      [blockSize]uint32
	reciprocals [blockSize]int32
	_           int32 // the vector code reads one word more
}

// A block is what becomes of 8 x 8 samples. Its coefficients are where the vector code has them when it is done: rows in
// pairs, the even columns of both before the odd ones.
type block struct {
	coefficients [blockSize]int16
	nonzero      uint64 // a bit for each that is not zero, in the order of the stream
}

// places are where a block has the coefficients, in the order of the stream.
var places = func() (places [blockSize]uint8) {
	for i, position := range zigzag {
		v, u := position>>3, position&7
		places[i] = v>>1<<4 | u&1<<3 | v&1<<2 | u>>1
	}
	return places
}()

// set fills the quantiser for a quality from 1 to 100, by the rule that every JPEG library uses.
func (q *quantiser) set(base *[blockSize]uint8, quality int) {
	percent := 200 - 2*quality
	if quality < 50 {
		percent = 5000 / quality
	}
	for i, position := range zigzag {
		step := min(max((int(base[position])*percent+50)/100, 1), 255)
		q.steps[i] = uint8(step)
		exact := (1 << reciprocalBits) / (float64(step) * coefficientScales[position>>3] * coefficientScales[position&7])
		q.divisors[i] = newDivisor(exact)
		lane := position&^7 | position&1<<2 | position&7>>1 // even columns before the odd ones
		q.inLanes.shifts[lane], q.inLanes.reciprocals[lane] = q.divisors[i].shift, q.divisors[i].reciprocal
	}
}

// newDivisor rounds a reciprocal and halves it until it has 31 bits. What it is rounded up or down to before, it is
// after: some coefficients lie right between two steps, and the rounding of the reciprocal decides about them.
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

// quantise has no branch, because where the zeroes are cannot be foreseen.
func (q *quantiser) quantise(out *block, coefficients *coefficients) {
	nonzero := uint64(0)
	for i, divisor := range &q.divisors {
		value := divisor.quotient(coefficients[zigzag[i]&63])
		out.coefficients[places[i]&63] = int16(value)
		nonzero = nonzero>>1 | uint64(value|-value)&(1<<63) // the sign bit of one of them is set, if not zero
	}
	out.nonzero = nonzero
}

// coefficientScales has by how much transform8 makes each coefficient larger than the orthonormal transform: root 8
// times root 2 times cos(k*pi/16), but root 8 alone for the first. They are constants and no results of math.Cos,
// because its last bit, and with it a byte of a picture, may differ from one kind of processor to another.
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
