package kernel

import (
	"strings"
	"testing"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/ht/internal/vlc"
	"tileserver/gpu/gputest"
)

func TestTheSourceHasTheSameConstants(t *testing.T) {
	gputest.CheckConstants(t, CodeBlocks, map[string]int{
		"lanes": lanes, "headerWords": headerWords, "refinedField": groupFields - 1,
		"maxColumns": ht.MaxSide / 2, "codeWords": len(vlc.Lookup()),
	})
	for _, entry := range []string{"(lanes)\nfn decodeQuads(", "(lanes)\nfn propagate(", "(sharing)\nfn decodeMagnitudes("} {
		if !strings.Contains(source, "@workgroup_size"+entry) {
			t.Errorf("workgroups of an entry have another size than %s", entry)
		}
	}
}
