package expression

import (
	"math"
	"math/bits"
)

// A quarter turn in three parts. The first two have 33 bits, so that multiples by up to 20 bits are
// exact.
const (
	quarterFirst  = 0x1.921fb544p+0
	quarterSecond = 0x1.0b4611a6p-34
	quarterThird  = math.Pi/2 - quarterFirst - quarterSecond
	// maxNearAngle limits the angles of reduceNear to about 2^19 quarters.
	maxNearAngle = 1 << 19
)

// reduceAngle removes whole quarter turns from an angle. The rest is at most half a quarter turn:
// angle, plus the rounding error lost. It is NaN if x is not finite.
func reduceAngle(x float64) (quarters int, angle, lost float64) {
	switch size := math.Abs(x); {
	case size <= math.Pi/4:
		return 0, x, 0
	case size < maxNearAngle:
		return reduceNear(x)
	case size <= math.MaxFloat64:
		quarters, angle, lost = reduceFar(size)
		if x < 0 {
			return -quarters, -angle, -lost
		}
		return quarters, angle, lost
	}
	return 0, math.NaN(), 0
}

func reduceNear(x float64) (quarters int, angle, lost float64) {
	count := math.RoundToEven(x * (2 / math.Pi))
	first := x - float64(count*quarterFirst)
	step := float64(count * quarterSecond)
	second := first - step
	third := float64(count*quarterThird) - ((first - second) - step)
	angle = second - third
	return int(count), angle, (second - angle) - third
}

// inverseQuarter holds the bits of 2/pi after the binary point, preceded by 64 zero bits.
var inverseQuarter = [...]uint64{
	0,
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
}

// reduceFar multiplies by 2/pi in integers. It uses the 192 bits that matter: bits before them make
// whole turns, and bits after them are lost in rounding.
func reduceFar(x float64) (quarters int, angle, lost float64) {
	const bias, fractionBits = 1023, 52
	pattern := math.Float64bits(x)
	exponent := int(pattern>>fractionBits) - bias - fractionBits
	mantissa := pattern&(1<<fractionBits-1) | 1<<fractionBits

	skipped := 64 + exponent - 2
	word, shift := skipped/64, skipped%64
	var window [3]uint64
	for i := range window {
		window[i] = inverseQuarter[word+i]<<shift | inverseQuarter[word+i+1]>>(64-shift)
	}
	// The fraction of a turn, in units of 2^-128.
	high, low := bits.Mul64(mantissa, window[1])
	behind, _ := bits.Mul64(mantissa, window[2])
	low, carry := bits.Add64(low, behind, 0)
	high += mantissa*window[0] + carry

	quarters = int((high + 1<<61) >> 62)
	high -= uint64(quarters) << 62
	if int64(high) >= 0 {
		angle, lost = radians(high, low)
		return quarters, angle, lost
	}
	low, borrow := bits.Sub64(0, low, 0)
	high, _ = bits.Sub64(0, high, borrow)
	angle, lost = radians(high, low)
	return quarters, -angle, -lost
}

// radians converts an angle in units of 2^-128 of a turn, and returns the rounding error as well.
func radians(high, low uint64) (angle, lost float64) {
	const turnHigh, turnLow = 4 * halfPiHigh, 4 * halfPiLow
	if high == 0 { // no float64 is that near to a multiple of a quarter
		return 0, 0
	}
	zeros := bits.LeadingZeros64(high)
	high = high<<zeros | low>>(64-zeros)
	low <<= zeros
	scale := timesPowerOf2(1, -zeros)
	turns := float64(high>>11) * 0x1p-53 * scale
	rest := float64(high<<53>>11|low>>53) * 0x1p-106 * scale
	product := float64(turns * turnHigh)
	lost = math.FMA(turns, turnHigh, -product) + (float64(turns*turnLow) + float64(rest*turnHigh))
	angle = product + lost
	return angle, lost - (angle - product)
}
