package main

import (
	"regexp"
	"testing"

	"tileserver/config"
	"tileserver/library"
	"tileserver/source/sourcetest"
)

// Any valid configuration leads to layers, or to mistakes that each have a line.
func FuzzConfiguredLayers(f *testing.F) {
	for _, text := range []string{
		"layers: [{path: a.tif, id: a}, {path: a.tif, id: a}]", "layers: [{path: s3://a/b}, {path: 'a.tif#0'}, {path: 'a.tif#2', id: a/b}]",
		"layers: [{path: a.tif, styles: [{name: b, stretch: x}], bidx: [0]}]", "styles: [{name: default}, {name: a, colormap: {1: x}}]", "layers: [{id: a}]",
	} {
		f.Add([]byte(text))
	}
	atLine := regexp.MustCompile(`^my\.yaml:[1-9][0-9]*: `)
	f.Fuzz(func(t *testing.T, text []byte) {
		c := config.Default()
		if len(text) > 1<<16 || c.Decode("my.yaml", text) != nil || c.Validate() != nil {
			return
		}
		c.TileMatrixSets = nil // may name files
		var found config.Mistakes
		desired, err := desiredBy(&c)
		found.Add(err)
		addMistakes(&found, library.New(library.Config{Files: sourcetest.NewStore()}).Check(t.Context(), desired))
		if err := found.Err(); err != nil && !atLine.MatchString(err.Error()) {
			t.Errorf("%q: the message has no line: %v", text, err)
		}
	})
}
