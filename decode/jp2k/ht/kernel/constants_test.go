package kernel

import (
	"strings"
	"testing"

	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, CodeBlocks, map[string]int{
		"lanes": lanes, "headerWords": headerWords, "refinedField": groupFields - 1,
	})
	for _, entry := range []string{"(lanes)\nfn decodeQuads(", "(lanes)\nfn propagate(", "(sharing)\nfn decodeMagnitudes("} {
		if !strings.Contains(source, "@workgroup_size"+entry) {
			t.Errorf("workgroups of an entry have another size than %s", entry)
		}
	}
}
