package nearest

import (
	"strings"
	"testing"
)

func TestTheNearestNameIsFound(t *testing.T) {
	names := []string{"serve", "demo", "info", "render", "read", "version", "help", "listen", "admin_listen", "in_flight", "path", "paths", "bands", "background"}
	for word, want := range map[string]string{
		"serv": "serve", "sevre": "serve", "Serve": "serve", "lisen": "listen", "in-flight": "in_flight", "inflight": "in_flight",
		"pth": "path", "dmeo": "demo", "admin": "admin_listen", "redner": "render", "reed": "read", "backgroud": "background",
		"": "", "xyz": "", "a": "", "b": "", "wombat": "", "colour": "", "se": "", "ba": "", "ortho.tif": "",
		strings.Repeat("serve", 100_000): "",
	} {
		if got, ok := To(word, names); got != want || ok != (want != "") {
			t.Errorf("%.20q is near %q, want %q", word, got, want)
		}
	}
	if got, ok := To("serve", nil); ok {
		t.Errorf("of no names, %q is the nearest", got)
	}
}

func TestSlipsInWordsThatMayBeRight(t *testing.T) {
	names := []string{"rescale", "style", "bands", "bbox", "crs", "max_size", "colormap_name", "expression", "complex"}
	for word, want := range map[string]string{
		"rescal": "rescale", "recsale": "rescale", "Rescale": "rescale", "band": "bands", "max-size": "max_size", "maxSize": "max_size",
		"colourmap_name": "colormap_name", "colurmapname": "colormap_name", "expresion": "expression", "BBOX": "bbox",
		"": "", "_": "", "srs": "", "crss": "", "exp": "", "expr": "", "expires": "", "scale": "", "complete": "", "colormap": "", "resale": "rescale", "rscal": "",
		strings.Repeat("rescale", 100_000): "",
	} {
		if got, ok := Slip(word, names); got != want || ok != (want != "") {
			t.Errorf("%.20q is a slip of %q, want %q", word, got, want)
		}
	}
}

func TestABeginningOfTwoNamesIsNeither(t *testing.T) {
	if got, ok := To("colo", []string{"color_formula", "colormap_name"}); ok {
		t.Errorf("got %q", got)
	}
}

func TestSlipsAreCounted(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abcd", "badc", 2}, {"kitten", "sitting", 3}, {"é", "e", 2},
	} {
		if got := slips(test.from, test.to); got != test.want {
			t.Errorf("%q to %q: %d slips, want %d", test.from, test.to, got, test.want)
		}
		if got := slips(test.to, test.from); got != test.want {
			t.Errorf("%q to %q: %d slips, want %d", test.to, test.from, got, test.want)
		}
	}
}

func TestAHintEndsAMessage(t *testing.T) {
	if got := Hint("virids", []string{"magma", "viridis"}); got != `; did you mean "viridis"?` {
		t.Errorf("the hint is %q", got)
	}
	if got := Hint("xyz", []string{"magma", "viridis"}); got != "" {
		t.Errorf("the hint is %q, want none", got)
	}
}
