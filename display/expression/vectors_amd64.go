//go:build !purego

package expression

import "tileserver/internal/cpu"

// The assembly processes steps of 8 elements and checks no bounds, so the caller here does. The Go
// code handles the remaining elements, or all of them without AVX2.
const stepElements = 8

// steps returns the number of whole steps in a number of elements. It is 0 without AVX2.
func steps(elements int) int {
	if !cpu.Has.AVX2 {
		return 0
	}
	return elements / stepElements
}

// Each of these routines computes to from the operands a, b and c that its operation takes.

//go:noescape
func addVectors(to, a, b, c *float64, steps int)

//go:noescape
func subtractVectors(to, a, b, c *float64, steps int)

//go:noescape
func multiplyVectors(to, a, b, c *float64, steps int)

//go:noescape
func divideVectors(to, a, b, c *float64, steps int)

//go:noescape
func floorDivideVectors(to, a, b, c *float64, steps int)

//go:noescape
func moduloVectors(to, a, b, c *float64, steps int)

//go:noescape
func productPlusVectors(to, a, b, c *float64, steps int)

//go:noescape
func productMinusVectors(to, a, b, c *float64, steps int)

//go:noescape
func minusProductVectors(to, a, b, c *float64, steps int)

//go:noescape
func normalizedDifferenceVectors(to, a, b, c *float64, steps int)

//go:noescape
func negativeVectors(to, a, b, c *float64, steps int)

//go:noescape
func lessVectors(to, a, b, c *float64, steps int)

//go:noescape
func lessOrEqualVectors(to, a, b, c *float64, steps int)

//go:noescape
func equalVectors(to, a, b, c *float64, steps int)

//go:noescape
func notEqualVectors(to, a, b, c *float64, steps int)

//go:noescape
func andVectors(to, a, b, c *float64, steps int)

//go:noescape
func orVectors(to, a, b, c *float64, steps int)

//go:noescape
func notVectors(to, a, b, c *float64, steps int)

//go:noescape
func chooseVectors(to, a, b, c *float64, steps int)

//go:noescape
func minimumVectors(to, a, b, c *float64, steps int)

//go:noescape
func maximumVectors(to, a, b, c *float64, steps int)

//go:noescape
func absoluteVectors(to, a, b, c *float64, steps int)

//go:noescape
func squareRootVectors(to, a, b, c *float64, steps int)

//go:noescape
func floorVectors(to, a, b, c *float64, steps int)

//go:noescape
func ceilVectors(to, a, b, c *float64, steps int)

//go:noescape
func roundVectors(to, a, b, c *float64, steps int)

//go:noescape
func isNaNVectors(to, a, b, c *float64, steps int)

var vectorOperations = [operationCount]func(to, a, b, c *float64, steps int){
	add: addVectors, subtract: subtractVectors, multiply: multiplyVectors, divide: divideVectors,
	floorDivide: floorDivideVectors, modulo: moduloVectors, negative: negativeVectors,
	less: lessVectors, lessOrEqual: lessOrEqualVectors, equal: equalVectors, notEqual: notEqualVectors,
	logicalAnd: andVectors, logicalOr: orVectors, logicalNot: notVectors, where: chooseVectors,
	minimum: minimumVectors, maximum: maximumVectors, absolute: absoluteVectors,
	squareRoot: squareRootVectors, floor: floorVectors, ceil: ceilVectors, round: roundVectors, isNaN: isNaNVectors,
	productPlus: productPlusVectors, productMinus: productMinusVectors, minusProduct: minusProductVectors,
	normalizedDifference: normalizedDifferenceVectors,
}

// computeVectors computes the first elements and returns how many.
func (o operation) computeVectors(to, a, b, c []float64) int {
	if vectorFunctions[o] != nil {
		return o.computeFunctions(to, a, b)
	}
	compute, count := vectorOperations[o], steps(min(len(to), len(a), len(b), len(c)))
	if compute == nil || count == 0 {
		return 0
	}
	compute(&to[0], &a[0], &b[0], &c[0], count)
	return count * stepElements
}
