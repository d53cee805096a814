package expression

import "math"

// The functions in this file and in trigonometry.go replace those of package math, whose results
// differ between machines: some have assembly on some machines, and compilers fuse products where
// the processor can. Here every product is rounded, which the conversions enforce. The exact error
// of a product comes from math.FMA, which is the same on all machines. Results are within two units
// in the last place, and powers that are not multiplied out within four.

const (
	ln2High = 0x1.62e42feep-1 // 32 bits, so that multiples by an exponent are exact
	ln2Low  = math.Ln2 - ln2High

	inverseLn10High = 0x1.bcb7b1526e50ep-2
	inverseLn10Low  = 1/math.Ln10 - inverseLn10High

	// expTerms is the number of terms of e^x that matter up to half of ln 2.
	expTerms = 12

	// Beyond these, exponentials are infinite or 0.
	highestExponent = 709.8
	lowestExponent  = -745.2
)

// The coefficients of e^x, from x^2 on.
var exponentialTerms = [...]float64{
	1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200, 1. / 1307674368000,
}

// The coefficients of (log(1+f)-2s)/s in powers of s^2, from the first on, where s is f/(2+f).
var logarithmTerms = [...]float64{
	2. / 3, 2. / 5, 2. / 7, 2. / 9, 2. / 11, 2. / 13, 2. / 15, 2. / 17, 2. / 19, 2. / 21,
}

// series returns the sum of terms[n] x^n. The number of terms must be even. Even and odd terms are
// summed in parallel, which halves the chain of dependent operations.
func series(x float64, terms []float64) float64 {
	squared := float64(x * x)
	last := len(terms) - 1
	even, odd := terms[last-1], terms[last]
	for n := last - 2; n > 0; n -= 2 {
		even = float64(even*squared) + terms[n-1]
		odd = float64(odd*squared) + terms[n]
	}
	return even + float64(odd*x)
}

// timesPowerOf2 returns x * 2^exponent. It is exact unless the result is subnormal, which is
// rounded once.
func timesPowerOf2(x float64, exponent int) float64 {
	const bias, fractionBits = 1023, 52
	if exponent > bias {
		x, exponent = x*0x1p1023, exponent-1023
	} else if exponent < 1-bias {
		// The inner product is normal and thus exact.
		return timesPowerOf2(x, exponent+128) * 0x1p-128
	}
	return x * math.Float64frombits(uint64(exponent+bias)<<fractionBits)
}

func exponential(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > highestExponent:
		return math.Inf(1)
	case x < lowestExponent:
		return 0
	}
	exponent := math.RoundToEven(x * (1 / math.Ln2))
	high := x - float64(exponent*ln2High)
	low := float64(exponent * ln2Low)
	rest := high - low
	lost := (high - rest) - low
	tail := lost + float64(float64(rest*rest)*series(rest, exponentialTerms[:expTerms]))
	return timesPowerOf2(1+(rest+tail), int(exponent))
}

func exponentialMinus1(x float64) float64 {
	if math.Abs(x) > 0.5 || x != x {
		return exponential(x) - 1
	}
	if x == 0 {
		return x // the sum would lose the sign of zero
	}
	return x + float64(float64(x*x)*series(x, exponentialTerms[:]))
}

// splitExponent splits a positive finite number into a mantissa between sqrt(1/2) and sqrt(2), and
// a power of 2.
func splitExponent(x float64) (mantissa, exponent float64) {
	const fractionBits = 52
	if x < 0x1p-1022 {
		mantissa, exponent = splitExponent(x * 0x1p54)
		return mantissa, exponent - 54
	}
	pattern := math.Float64bits(x)
	power := int64(pattern-math.Float64bits(math.Sqrt2/2)) >> fractionBits
	return math.Float64frombits(pattern - uint64(power)<<fractionBits), float64(power)
}

// logarithmParts returns the logarithm of a positive finite number as a sum of two parts, which
// together have more bits than a float64.
func logarithmParts(x float64) (high, low float64) {
	mantissa, exponent := splitExponent(x)
	f := mantissa - 1
	s := f / (2 + f)
	squared := float64(s * s)
	half := float64(float64(0.5*f) * f)
	tail := float64(s * (half + float64(squared*series(squared, logarithmTerms[:]))))
	tail = (tail + float64(exponent*ln2Low)) - half
	whole := float64(exponent * ln2High) // exact, and 0 or more than f
	sum := whole + f
	rest := (f - (sum - whole)) + tail
	high = sum + rest
	return high, rest - (high - sum)
}

// specialLogarithm returns the logarithm, to any base, of numbers without a finite one.
func specialLogarithm(x float64) (value float64, special bool) {
	switch {
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	}
	return x, x > math.MaxFloat64 || x != x
}

func logarithm(x float64) float64 {
	if value, special := specialLogarithm(x); special {
		return value
	}
	high, _ := logarithmParts(x)
	return high
}

func logarithm10(x float64) float64 {
	if value, special := specialLogarithm(x); special {
		return value
	}
	high, low := logarithmParts(x)
	product := float64(high * inverseLn10High)
	lost := math.FMA(high, inverseLn10High, -product)
	return product + (lost + (float64(high*inverseLn10Low) + float64(low*inverseLn10High)))
}

func logarithmPlus1(x float64) float64 {
	sum := 1 + x
	if value, special := specialLogarithm(sum); special {
		return value
	}
	if sum == 1 {
		return x
	}
	lost := x - (sum - 1)
	if x >= 1 {
		lost = 1 - (sum - x)
	}
	return logarithm(sum) + lost/sum
}

func hyperbolicSine(x float64) float64 {
	size := math.Abs(x)
	if size > 700 {
		root := exponential(size / 2)
		return math.Copysign(float64(0.5*root)*root, x)
	}
	growth := exponentialMinus1(size)
	return math.Copysign(0.5*(growth+growth/(growth+1)), x)
}

func hyperbolicCosine(x float64) float64 {
	size := math.Abs(x)
	if size > 700 {
		root := exponential(size / 2)
		return float64(0.5*root) * root
	}
	growth := exponential(size)
	return float64(0.5*growth) + 0.5/growth
}

func hyperbolicTangent(x float64) float64 {
	size := math.Abs(x)
	if size > 20 {
		return math.Copysign(1, x)
	}
	growth := exponentialMinus1(2 * size)
	return math.Copysign(growth/(growth+2), x)
}
