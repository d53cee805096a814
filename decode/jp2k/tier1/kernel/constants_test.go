package kernel

import (
	"strings"
	"testing"

	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, CodeBlocks, map[string]int{
		"stripeRows": stripeRows, "groupColumns": groupColumns, "stateWords": stateWords, "firstPlane": fields - 1,
		"lanes": Lanes, "roundsPerStep": roundsPerStep, "symbolsPerRound": symbolsPerRound,
	})
	if !strings.Contains(source, "@workgroup_size(lanes)\nfn decode(") {
		t.Error("workgroups of the entry decode have another size")
	}
}
