//go:build !race

// The race detector makes sync.Pool drop some items at random.

package expression

import "testing"

func TestRunDoesNotAllocate(t *testing.T) {
	program := mustCompile(t, "where(b1>3,(b2-b1)/(b2+b1),nan);b1**2;exp(b1)")
	samples, floats := make(Samples[uint16], 5000), make(Samples[float32], 5000)
	inputs, results := make([]Plane, 2), make([]Result, 3)
	values := make([]Values[float32], len(results))
	for i := range values {
		values[i] = Values[float32]{make([]float32, 5000), make([]uint8, 5000)}
	}
	allocations := testing.AllocsPerRun(100, func() {
		inputs[0], inputs[1] = &samples, &floats
		for i := range values {
			results[i] = &values[i]
		}
		if err := program.Run(inputs, results, 5000); err != nil {
			t.Error(err)
		}
	})
	if allocations != 0 {
		t.Errorf("a run allocates %v times", allocations)
	}
}
