package expression

import "math"

// computeEach computes an operation for all elements. Vector code handles the first elements where
// it is available.
func (o operation) computeEach(to, a, b, c []float64) {
	if done := o.computeVectors(to, a, b, c); done > 0 {
		to, a, b, c = to[done:], a[done:], b[done:], c[done:]
	}
	if len(to) == 0 {
		return
	}
	switch d := &definitions[o]; o {
	case add:
		addEach(to, a, b)
	case subtract:
		subtractEach(to, a, b)
	case multiply:
		multiplyEach(to, a, b)
	case divide:
		divideEach(to, a, b)
	case productPlus:
		productPlusEach(to, a, b, c)
	case productMinus:
		productMinusEach(to, a, b, c)
	case minusProduct:
		minusProductEach(to, a, b, c)
	case normalizedDifference:
		normalizedDifferenceEach(to, a, b)
	case less:
		lessEach(to, a, b)
	case lessOrEqual:
		lessOrEqualEach(to, a, b)
	case logicalAnd:
		andEach(to, a, b)
	case logicalOr:
		orEach(to, a, b)
	case where:
		chooseEach(to, a, b, c)
	default:
		switch {
		case d.unary != nil:
			unaryEach(to, a, d.unary)
		case d.binary != nil:
			binaryEach(to, a, b, d.binary)
		default:
			ternaryEach(to, a, b, c, d.ternary)
		}
	}
}

func addEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] + b[i]
	}
}

func subtractEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] - b[i]
	}
}

func multiplyEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] * b[i]
	}
}

func divideEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = a[i] / b[i]
	}
}

func productPlusEach(to, a, b, c []float64) {
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for i := range to {
		to[i] = float64(a[i]*b[i]) + c[i]
	}
}

func productMinusEach(to, a, b, c []float64) {
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for i := range to {
		to[i] = float64(a[i]*b[i]) - c[i]
	}
}

func minusProductEach(to, a, b, c []float64) {
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for i := range to {
		to[i] = c[i] - float64(a[i]*b[i])
	}
}

func normalizedDifferenceEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = (a[i] - b[i]) / (a[i] + b[i])
	}
}

func lessEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = truthOf(a[i] < b[i])
	}
}

func lessOrEqualEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = truthOf(a[i] <= b[i])
	}
}

// Booleans are stored as 0 and 1. The bits of 0 are all zero, so AND and OR of the bits work
// without a branch.

func andEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = math.Float64frombits(math.Float64bits(a[i]) & math.Float64bits(b[i]))
	}
}

func orEach(to, a, b []float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = math.Float64frombits(math.Float64bits(a[i]) | math.Float64bits(b[i]))
	}
}

// chooseEach moves the highest bit of the pattern of 1 to the sign and extends it to a mask.
func chooseEach(to, condition, a, b []float64) {
	condition, a, b = condition[:len(to)], a[:len(to)], b[:len(to)]
	for i := range to {
		chosen := uint64(int64(math.Float64bits(condition[i])<<2) >> 63)
		to[i] = math.Float64frombits(math.Float64bits(a[i])&chosen | math.Float64bits(b[i])&^chosen)
	}
}

func unaryEach(to, a []float64, compute func(float64) float64) {
	a = a[:len(to)]
	for i := range to {
		to[i] = compute(a[i])
	}
}

func binaryEach(to, a, b []float64, compute func(a, b float64) float64) {
	a, b = a[:len(to)], b[:len(to)]
	for i := range to {
		to[i] = compute(a[i], b[i])
	}
}

func ternaryEach(to, a, b, c []float64, compute func(a, b, c float64) float64) {
	a, b, c = a[:len(to)], b[:len(to)], c[:len(to)]
	for i := range to {
		to[i] = compute(a[i], b[i], c[i])
	}
}
