package style_test

import (
	"strings"
	"testing"

	"tileserver/style"
)

func TestNamesOfStyles(t *testing.T) {
	others := []style.Named{{Name: "ndvi"}}
	for name, says := range map[string]string{
		"": `no "name"`, style.DefaultName: "the layer's own style", "a/b": `"a/b" has characters`, "..": "has characters", "ndvi": "another style",
	} {
		if err := style.CheckName(name, others); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got the error %v, want one that contains %q", name, err, says)
		}
	}
	if err := style.CheckName("ndvi-2", others); err != nil {
		t.Error(err)
	}
}
