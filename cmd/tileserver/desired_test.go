package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tileserver/config"
)

// tileMatrixSets returns a tile matrix set as the configuration reads it.
func tileMatrixSets(t *testing.T, written any) []config.TileMatrixSet {
	t.Helper()
	sets := make([]config.TileMatrixSet, 1)
	if err := sets[0].UnmarshalValue(written); err != nil {
		t.Fatal(err)
	}
	return sets
}

// What is wrong in styles, tile matrix sets and settings shows without a library.
func TestMistakesInWhatIsDesired(t *testing.T) {
	for name, change := range map[string]func(*config.Config){
		"bidx": func(c *config.Config) { c.Layers[0].Bidx = []int{0} },
		"styles[0]": func(c *config.Config) {
			c.Styles = []config.NamedStyle{{Name: "odd", Style: config.Style{Stretch: "much"}}}
		},
		"tile matrix set": func(c *config.Config) { c.TileMatrixSets = tileMatrixSets(t, map[string]any{"id": "x"}) },
		"no-such-set.json": func(c *config.Config) {
			c.TileMatrixSets = tileMatrixSets(t, filepath.Join(t.TempDir(), "no-such-set.json"))
		},
	} {
		c := config.Default()
		c.Layers = []config.Layer{{ID: "mine", Path: "a.tif"}}
		if _, err := desiredBy(&c); err != nil {
			t.Fatal(err)
		}
		change(&c)
		if _, err := desiredBy(&c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want something about %q", err, name)
		}
	}
}

// A layer is rebuilt only if its entry has changed, whatever is made from it.
func TestEqualEntriesAreWrittenAlike(t *testing.T) {
	colors := func() any { return map[any]any{1: map[string]any{"color": "#ff0000", "label": "One"}} }
	var written []any
	for _, title := range []string{"One", "One", "Two"} {
		l := config.Layer{ID: "mine", Path: "a.tif", Title: title, Style: config.Style{Bidx: []int{1}, Colormap: colors()}}
		desired, err := desiredLayer(&l, &config.Allow{}, config.Location{})
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, desired.Written)
	}
	if !reflect.DeepEqual(written[0], written[1]) || reflect.DeepEqual(written[0], written[2]) {
		t.Errorf("written as %v", written)
	}
}
