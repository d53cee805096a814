package formula

import "math"

// The functions here are those of package math, which has assembly for some machines and fuses products on others, but
// for the last digits.

// exponential is e to the power of x.
func exponential(x float64) float64 {
	if x < -745 {
		return 0
	}
	if x > 709 {
		return math.Inf(1)
	}
	twos := math.Floor(float64(x*math.Log2E) + 0.5)
	x -= float64(twos * math.Ln2) // up to 0.35
	sum := 0.
	for i := len(factorials) - 1; i >= 0; i-- {
		sum = factorials[i] + float64(x*sum)
	}
	return math.Ldexp(sum, int(twos))
}

// factorials are the inverse ones.
var factorials = [...]float64{
	1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200,
}

// logarithm is the natural one of a number above 0.
func logarithm(x float64) float64 {
	part, twos := math.Frexp(x)
	if part < math.Sqrt2/2 {
		part, twos = part*2, twos-1
	}
	t := (part - 1) / (part + 1) // up to 0.172
	square := float64(t * t)
	sum := 0.
	for i := len(oddInverses) - 1; i >= 0; i-- {
		sum = oddInverses[i] + float64(square*sum)
	}
	return float64(float64(twos)*math.Ln2) + float64(2*float64(t*sum))
}

var oddInverses = [...]float64{1, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21}

// power is that of a base that is not negative.
func power(base, exponent float64) float64 {
	if base == 0 {
		return 0
	}
	return exponential(float64(exponent * logarithm(base)))
}

// logistic is 1/(1 + e^-x).
func logistic(x float64) float64 { return 1 / (1 + exponential(-x)) }
