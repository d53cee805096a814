package expression

import "math"

const patternOf1 = 0x3ff0000000000000

func sum(a, b float64) float64        { return a + b }
func difference(a, b float64) float64 { return a - b }
func product(a, b float64) float64    { return a * b }
func quotient(a, b float64) float64   { return a / b }
func negation(a float64) float64      { return -a }

// floorQuotient and remainder follow numexpr: the remainder has the sign of the divisor.
func floorQuotient(a, b float64) float64 { return math.Floor(a / b) }

func remainder(a, b float64) float64 { return a - float64(math.Floor(a/b)*b) }

// The fused operations below round each of their steps.

func sumOfProduct(a, b, c float64) float64        { return float64(a*b) + c }
func differenceOfProduct(a, b, c float64) float64 { return float64(a*b) - c }
func differenceToProduct(a, b, c float64) float64 { return c - float64(a*b) }
func differenceBySum(a, b float64) float64        { return (a - b) / (a + b) }

// lesser and larger return NaN if either operand is NaN.
func lesser(a, b float64) float64 { return min(a, b) }

func larger(a, b float64) float64 { return max(a, b) }

func clamped(a, low, high float64) float64 { return min(max(a, low), high) }

func isLess(a, b float64) float64           { return truthOf(a < b) }
func isLessOrEqual(a, b float64) float64    { return truthOf(a <= b) }
func isGreater(a, b float64) float64        { return truthOf(a > b) }
func isGreaterOrEqual(a, b float64) float64 { return truthOf(a >= b) }
func isEqual(a, b float64) float64          { return truthOf(a == b) }
func isNotEqual(a, b float64) float64       { return truthOf(a != b) }
func isNaNValue(a float64) float64          { return truthOf(a != a) }

func both(a, b float64) float64   { return truthOf(a != 0 && b != 0) }
func either(a, b float64) float64 { return truthOf(a != 0 || b != 0) }
func isFalse(a float64) float64   { return truthOf(a == 0) }

// choice returns a if the condition is true. Every number except 0 is true, and so is NaN.
func choice(condition, a, b float64) float64 {
	if condition != 0 {
		return a
	}
	return b
}

// truthOf returns 0 or 1 without a branch. A branch would be mispredicted for many pixels.
func truthOf(b bool) float64 {
	var bit uint64
	if b {
		bit = 1
	}
	return math.Float64frombits(-bit & patternOf1)
}
