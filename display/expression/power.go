package expression

import "math"

// maxMultipliedPower is the highest exponent that is computed by multiplication. Multiples of 1/2
// use a square root as well. Most expressions only have squares and roots.
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
	isWhole := y == math.Trunc(y) // true for infinities
	if x < 0 && !isWhole && !math.IsInf(x, 0) {
		return math.NaN()
	}
	result := positivePower(math.Abs(x), y)
	if math.Signbit(x) && isOdd(y) {
		return -result
	}
	return result
}

// isOdd returns false for numbers too large to be odd, and for infinities.
func isOdd(y float64) bool {
	half := 0.5 * y
	return y == math.Trunc(y) && half != math.Trunc(half)
}

// multipliedPower performs the same steps as the program of a power with a constant exponent.
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

// positivePower returns x^y for x >= 0 and y other than 0 and NaN.
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
