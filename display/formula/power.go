package formula

import "math"

// The functions in this file equal those of package math up to the last digits. Package math has
// assembly for some machines and fuses products on others, so its results differ between machines.

// exponential returns e to the power of x.
func exponential(x float64) float64 {
	if x < -745 {
		return 0
	}
	if x > 709 {
		return math.Inf(1)
	}
	twos := math.Floor(float64(x*math.Log2E) + 0.5)
	x -= float64(twos * math.Ln2) // at most 0.35 in magnitude
	sum := 0.
	for i := len(factorials) - 1; i >= 0; i-- {
		sum = factorials[i] + float64(x*sum)
	}
	return math.Ldexp(sum, int(twos))
}

// factorials holds the inverse factorials.
var factorials = [...]float64{
	1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800, 1. / 87178291200,
}

// logarithm returns the natural logarithm of a positive number.
func logarithm(x float64) float64 {
	part, twos := math.Frexp(x)
	if part < math.Sqrt2/2 {
		part, twos = part*2, twos-1
	}
	t := (part - 1) / (part + 1) // at most 0.172 in magnitude
	square := float64(t * t)
	sum := 0.
	for i := len(oddInverses) - 1; i >= 0; i-- {
		sum = oddInverses[i] + float64(square*sum)
	}
	return float64(float64(twos)*math.Ln2) + float64(2*float64(t*sum))
}

var oddInverses = [...]float64{1, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21}

// power returns base to the power of exponent. Base must not be negative.
func power(base, exponent float64) float64 {
	if base == 0 {
		return 0
	}
	return exponential(float64(exponent * logarithm(base)))
}

// logistic returns 1/(1 + e^-x).
func logistic(x float64) float64 { return 1 / (1 + exponential(-x)) }
