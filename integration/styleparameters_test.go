package integration

import (
	"regexp"
	"testing"

	"tileserver/style"
)

// The documents name every parameter of styles, and the viewer keeps each in its address.
func TestEveryStyleParameterIsNamed(t *testing.T) {
	keys, reference, viewer := readText(t, "../docs/configuration.md"), readText(t, "../docs/http-api.md"), readText(t, "../web/viewer/src/style.ts")
	for _, p := range style.Parameters() {
		if isKey := p.Key.Value != ""; isKey && !regexp.MustCompile("(?m)^\\| `"+p.Name+"` \\|").MatchString(keys) {
			t.Errorf("docs/configuration.md lacks %s", p.Name)
		}
		if !regexp.MustCompile("(?m)^\\| `" + p.Name + "` \\|").MatchString(reference) {
			t.Errorf("docs/http-api.md lacks %s", p.Name)
		}
		if !regexp.MustCompile(`"` + p.Name + `"`).MatchString(viewer) {
			t.Errorf("the viewer does not know %s", p.Name)
		}
	}
}
