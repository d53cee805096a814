package processor_test

import (
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

// TestProcessorRunsAllAssembly is the test of the same name on amd64.
func TestProcessorRunsAllAssembly(t *testing.T) { processor.Require(t, cpu.Has.NEON, "NEON") }
