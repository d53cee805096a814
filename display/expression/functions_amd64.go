//go:build !purego

package expression

import (
	"math"

	"golang.org/x/sys/cpu"
)

// The assembly does what exponential, logarithm, logarithm10 and power do, in the same order, for
// 4 elements a step, and stops at a step with one that it leaves to them: what has no finite normal
// logarithm or exponential, and powers that are multiplied out. It tells how many steps it did.
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

// each4 is a number for each element of a step.
type each4 [functionElements]float64

// functionConstants has its numbers in the order that functions_amd64.s counts them in.
type functionConstants [4 + 3 + 2 + len(logarithmTerms) + 2 + 2 + 1 + expTerms + 4]each4

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
		constants[i] = each4{number, number, number, number}
	}
	return constants
}

// eachFunction computes the first elements and tells how many.
func (o operation) eachFunction(to, a, b []float64) int {
	compute := vectorFunctions[o]
	count := min(len(to), len(a), len(b)) / functionElements
	if compute == nil || !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
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
