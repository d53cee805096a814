//go:build !purego

package expression

import (
	"math"

	"tileserver/internal/cpu"
)

// The assembly twins of exponential, logarithm, logarithm10 and power compute in the same order, 4
// elements per step. They stop at a step with an element that needs the Go code: one without a
// finite normal logarithm or exponential, or a power that is multiplied out. They return the number
// of completed steps.
const functionElements = 4

//go:noescape
func exponentials(to, a, b *float64, constants *functionConstants, steps int) (done int)

//go:noescape
func logarithms(to, a, b *float64, constants *functionConstants, steps int) (done int)

//go:noescape
func logarithms10(to, a, b *float64, constants *functionConstants, steps int) (done int)

//go:noescape
func powers(to, a, b *float64, constants *functionConstants, steps int) (done int)

var vectorFunctions = [operationCount]func(to, a, b *float64, constants *functionConstants, steps int) (done int){
	exp: exponentials, log: logarithms, log10: logarithms10, raise: powers,
}

// repeated4 is a number repeated for each element of a step.
type repeated4 [functionElements]float64

// functionConstants holds the constants in the order that functions_amd64.s expects.
type functionConstants [4 + 3 + 2 + len(logarithmTerms) + 2 + 2 + 1 + expTerms + 4]repeated4

var functionNumbers = arrangeConstants()

func arrangeConstants() *functionConstants {
	const bias = 1024
	ofBits := math.Float64frombits
	numbers := []float64{
		ofBits(bias<<52 - math.Float64bits(math.Sqrt2/2)), ofBits(bias << 52), 1 << 52, 1<<52 + bias,
		1, 2, 0.5,
		ln2Low, ln2High,
	}
	numbers = append(numbers, logarithmTerms[:]...)
	numbers = append(numbers, 0x1p-1022, math.MaxFloat64, inverseLn10High, inverseLn10Low, 1/math.Ln2)
	numbers = append(numbers, exponentialTerms[:expTerms]...)
	numbers = append(numbers, 708, ofBits(1<<63-1), ofBits(1023), maxMultipliedPower)
	constants := &functionConstants{}
	for i, number := range numbers {
		constants[i] = repeated4{number, number, number, number}
	}
	return constants
}

// computeFunctions computes the first elements and returns how many.
func (o operation) computeFunctions(to, a, b []float64) int {
	compute := vectorFunctions[o]
	count := min(len(to), len(a), len(b)) / functionElements
	if compute == nil || !cpu.Has.AVX2 || !cpu.Has.FMA {
		return 0
	}
	for step := 0; step < count; step++ {
		at := step * functionElements
		step += compute(&to[at], &a[at], &b[at], functionNumbers, count-step)
		if step == count {
			break
		}
		for at = step * functionElements; at < (step+1)*functionElements; at++ {
			to[at] = o.compute(a[at], b[at], 0)
		}
	}
	return count * functionElements
}
