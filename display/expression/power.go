package expression

import "math"

// maxMultipliedPower is the highest exponent that is multiplied out. Its halves are, too, by a
// square root: squares and roots are what people mostly write.
const maxMultipliedPower = 50

func isMultipliedPower(exponent float64) bool {
	return math.Abs(exponent) <= maxMultipliedPower && 2*exponent == math.Trunc(2*exponent)
}

func power(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case isMultipliedPower(y):
		return multipliedPower(x, y)
	case x != x || y != y:
		return math.NaN()
	}
	isWhole := y == math.Trunc(y) // as infinities are
	if x < 0 && !isWhole && !math.IsInf(x, 0) {
		return math.NaN()
	}
	result := positivePower(math.Abs(x), y)
	if math.Signbit(x) && isOdd(y) {
		return -result
	}
	return result
}

// isOdd is false of what is so large that it has no bit for 1, as of infinities.
func isOdd(y float64) bool {
	half := 0.5 * y
	return y == math.Trunc(y) && half != math.Trunc(half)
}

// multipliedPower is what Program makes of a constant exponent, too, step by step.
func multipliedPower(x, y float64) float64 {
	size := math.Abs(y)
	result, squared := 1.0, x
	for n := int(size); n > 0; n >>= 1 {
		if n&1 != 0 {
			result = float64(result * squared)
		}
		squared = float64(squared * squared)
	}
	if size != math.Trunc(size) {
		result = float64(result * math.Sqrt(x))
	}
	if y < 0 {
		return 1 / result
	}
	return result
}

// positivePower takes a base that is 0 or more and an exponent that is neither 0 nor NaN.
func positivePower(x, y float64) float64 {
	switch {
	case x == 1:
		return 1
	case x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0):
		if (x > 1) == (y > 0) {
			return math.Inf(1)
		}
		return 0
	}
	high, low := logarithmParts(x)
	product := float64(y * high)
	if product > highestExponent || product < lowestExponent {
		return exponential(product)
	}
	lost := math.FMA(y, high, -product) + float64(y*low)
	result := exponential(product)
	if math.IsInf(result, 0) {
		return result
	}
	return result + float64(result*lost)
}

func hypotenuse(a, b float64) float64 {
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return math.Inf(1)
	}
	if a != a || b != b {
		return math.NaN()
	}
	scale := 1.0
	switch larger := max(math.Abs(a), math.Abs(b)); {
	case larger > 0x1p500:
		scale = 0x1p-600
	case larger < 0x1p-500:
		scale = 0x1p600
	}
	a, b = a*scale, b*scale
	return math.Sqrt(float64(a*a)+float64(b*b)) / scale
}
