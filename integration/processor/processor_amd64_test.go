package processor_test

import (
	"testing"

	"golang.org/x/sys/cpu"

	"tileserver/integration/processor"
)

// TestProcessorRunsAllAssembly checks that CI has all instructions that the assembly uses. Without
// them, tests that compare assembly with Go through a dispatching function would compare Go with
// itself.
func TestProcessorRunsAllAssembly(t *testing.T) {
	x := &cpu.X86
	for instructions, has := range map[string]bool{
		"AVX2": x.HasAVX2, "FMA": x.HasFMA, "BMI1": x.HasBMI1, "BMI2": x.HasBMI2, "LZCNT": x.HasLZCNT, "SSSE3": x.HasSSSE3, "SSE4.1": x.HasSSE41,
	} {
		processor.Require(t, has, instructions)
	}
}
