package processor_test

import (
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// TestProcessorRunsAllAssembly checks that CI has all instructions that the assembly uses. Without
// them, tests that compare assembly with Go through a dispatching function would compare Go with
// itself.
func TestProcessorRunsAllAssembly(t *testing.T) {
	x := cpu.Has
	for instructions, has := range map[string]bool{
		"AVX2": x.AVX2, "FMA": x.FMA, "BMI1": x.BMI1, "BMI2": x.BMI2, "LZCNT": x.LZCNT, "SSSE3": x.SSSE3, "SSE4.1": x.SSE41,
	} {
		processor.Require(t, has, instructions)
	}
}
