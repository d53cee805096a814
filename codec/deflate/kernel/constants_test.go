package kernel

import (
	"strings"
	"testing"

	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, Inflate, map[string]int{"lanes": lanes, "roundsPerStep": roundsPerStep, "scratchWords": scratchWords})
	if !strings.Contains(source, "@workgroup_size(lanes)\nfn inflate(") {
		t.Error("workgroups of the entry inflate have another size")
	}
}
