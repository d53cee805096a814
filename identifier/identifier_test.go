package identifier_test

import (
	"testing"

	"tileserver/identifier"
)

func TestIdentifiersNeedNoEscaping(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "Z-0_9.tif": true, "-": true, ".a": true, "a..b": true,
		"": false, ".": false, "..": false, "a b": false, "a/b": false, "a%2Fb": false, "é": false, "a\x00": false, "a\xff": false,
	} {
		if got := identifier.IsValid(id); got != want {
			t.Errorf("%q is valid: %t, want %t", id, got, want)
		}
	}
}
