package kernel

import (
	"strings"
	"testing"

	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, Intervals, map[string]int{
		"lanes": lanes, "roundsPerStep": roundsPerStep, "transformGroups": transformGroups, "stateWords": stateWords, "blockWords": blockWords,
		"quantizerWords": quantizerWords, "lookupBits": lookupBits, "maxBits": maxBits, "limitsAt": limitsAt, "symbolsAt": symbolsAt,
		"tableWords": tableWords,
	})
	for _, entry := range []string{"entropy", "conclude", "columns", "rows"} {
		if !strings.Contains(source, "@workgroup_size(lanes)\nfn "+entry+"(") {
			t.Errorf("workgroups of the entry %s have another size", entry)
		}
	}
}
