package expression

import "math"

// lower converts a graph to the operations that vector code supports. They are fewer, and give the
// same bits as the operations that they replace.
func lower(from *graph, outputs []int32) (*graph, []int32) {
	to := newGraph(len(from.values))
	lowered := make([]int32, len(from.values))
	for i, v := range from.values {
		operands := make([]int32, definitions[v.operation].operands)
		for j := range operands {
			operands[j] = lowered[v.operands[j]]
		}
		lowered[i] = to.lowerValue(v, operands)
	}
	loweredOutputs := make([]int32, len(outputs))
	for i, output := range outputs {
		loweredOutputs[i] = lowered[output]
	}
	return to, loweredOutputs
}

func (g *graph) lowerValue(v value, operands []int32) int32 {
	switch v.operation {
	case constant, truth, band:
		return g.intern(v)
	case greater:
		return g.add(less, operands[1], operands[0])
	case greaterOrEqual:
		return g.add(lessOrEqual, operands[1], operands[0])
	case where:
		if g.values[operands[0]].kind != boolean {
			operands[0] = g.add(notEqual, operands[0], g.constant(0))
		}
	case clip:
		return g.add(minimum, g.add(maximum, operands[0], operands[1]), operands[2])
	case divide:
		if inverse, ok := g.exactInverse(operands[1]); ok {
			return g.add(multiply, operands[0], inverse)
		}
	case raise:
		if exponent := &g.values[operands[1]]; exponent.operation == constant {
			if y := math.Float64frombits(exponent.bits); isMultipliedPower(y) {
				return g.multipliedPower(operands[0], y)
			}
		}
	}
	return g.add(v.operation, operands...)
}

// exactInverse returns 1/v if v is a constant power of 2. Then multiplying equals dividing.
func (g *graph) exactInverse(v int32) (int32, bool) {
	if g.values[v].operation != constant {
		return 0, false
	}
	divisor := math.Float64frombits(g.values[v].bits)
	if fraction, exponent := math.Frexp(divisor); math.Abs(fraction) != 0.5 || exponent < -1000 || exponent > 1000 {
		return 0, false
	}
	return g.constant(1 / divisor), true
}

// multipliedPower builds the operations that the function multipliedPower performs.
func (g *graph) multipliedPower(x int32, y float64) int32 {
	size := math.Abs(y)
	result, squared := g.constant(1), x
	for n := int(size); n > 0; n >>= 1 {
		if n&1 != 0 {
			result = g.product(result, squared)
		}
		if n > 1 {
			squared = g.add(multiply, squared, squared)
		}
	}
	if size != math.Trunc(size) {
		result = g.product(result, g.add(squareRoot, x))
	}
	if y < 0 {
		return g.add(divide, g.constant(1), result)
	}
	return result
}

// product returns a*b, and omits a factor 1.
func (g *graph) product(a, b int32) int32 {
	if a == g.constant(1) {
		return b
	}
	return g.add(multiply, a, b)
}
