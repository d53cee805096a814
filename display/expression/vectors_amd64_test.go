//go:build !purego

package expression

import (
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// The other tests compare the assembly with the definitions, but only if it runs.
func TestAssemblyRuns(t *testing.T) {
	t.Parallel()
	processor.Require(t, cpu.Has.AVX2 && cpu.Has.FMA, "AVX2 or FMA")
	to, ones := make([]float64, 16), make([]float64, 16)
	for i := range ones {
		ones[i] = 1
	}
	for o := range operationCount {
		if vectorOperations[o] == nil && vectorFunctions[o] == nil {
			continue
		}
		if done := o.computeVectors(to, ones, ones, ones); done != 16 {
			t.Errorf("%s computes %d of 16 elements", definitions[o].name, done)
		}
	}
	for i := range ones {
		ones[i] = 1.7
	}
	for o, function := range vectorFunctions {
		if function == nil {
			continue
		}
		if done := function(&to[0], &ones[0], &ones[0], functionNumbers, 4); done != 4 {
			t.Errorf("%s does %d of 4 steps", definitions[o].name, done)
		}
	}
	if done := storeVectors(make([]float32, 17), make([]float64, 17)); done != 16 {
		t.Errorf("%d of 17 elements are stored", done)
	}
	if done := loadVectors(to, make([]uint16, 16)); done != 16 {
		t.Errorf("%d of 16 samples are loaded", done)
	}
}
