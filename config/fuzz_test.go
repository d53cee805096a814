package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Any text is either a valid configuration or rejected with a message free of Go and parser terms.
func FuzzConfig(f *testing.F) {
	for _, name := range []string{"dev.yaml", "all-keys.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "configs", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		"", "null", "[]", "a: &a [*a]", "layers: [{path: a.tif, colormap: {1: [0, 1, 2]}, algorithm_params: {1: {2: .nan}}}]",
		"tile_matrix_sets: [{id: a, tileMatrices: [{id: 0, cellSize: 1e400}]}]", "tile_matrix_sets: [[a]]", "trusted_proxies: none",
		"trusted_proxies: [fe80::1%eth0, ::ffff:1.2.3.4/120, 1.2.3.4/0]", "base_path: /%2e%2e", "rescan: -1s", "public_url: http://[::1",
		"x: &x {a: &a [1, 1], b: &b [*a, *a], c: [*b, *b]}", "styles: [{name: default, colormap_name: [x]}]", "empty: 204",
		"layers: [{path: a.tif, pth: b}, {path: s3://a/b}, {id: 3, block: 1}]", "styles: [{algorithm: hillshade, algorithm_params: {azimuth: [1]}}]",
		"styles: [{colormap: {1: {color: 3, label: [x]}}}, {colormap: x}, {colormap: [[1, {}]]}]", "tile_matrix_sets: [{id: 3}]",
		"tile_matrix_sets: [{id: a, tileMatrices: [{id: [0]}]}]", "tile_matrix_sets: [{id: a, tileMatrices: 1, crs: {}}]", "cache: 12 horses",
		"styles: [{expression: b1+, rescale: [1]}, {rescale: [a], stretch: x, resampling: y, background: z}]", "request_timeout: 1", "nodata: {}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		if err := useConfig(text); err != nil {
			checkWords(t, err.Error(), string(text))
		}
	})
}

// useConfig processes a configuration as a server does, without opening files.
func useConfig(text []byte) error {
	c := Default()
	if err := c.Decode("my.yaml", text); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	for i := range c.TileMatrixSets {
		if c.TileMatrixSets[i].path != "" {
			return nil
		}
	}
	return parseAll(&c)
}

// checkWords reports terms of Go and of the parser in a message, unless they come from the text.
func checkWords(t *testing.T, message, text string) {
	t.Helper()
	for line := range strings.SplitSeq(message, "\n") {
		if !atLine.MatchString(line) {
			t.Errorf("%q: the message has no line: %s", text, line)
		}
	}
	message = strings.ReplaceAll(message, "my.yaml:", "")
	for _, word := range []string{
		"main.", "config.", "Config", "yaml:", "!!", "unmarshal", "json:", "strictyaml", "strconv", "reflect", "interface", "struct", "map[", "[]", "int64", "float64", "%!", "<nil>",
	} {
		if strings.Contains(message, word) && !strings.Contains(text, word) {
			t.Errorf("%q: the message has %q: %s", text, word, message)
		}
	}
}

var atLine = regexp.MustCompile(`^my\.yaml:[1-9][0-9]*: `)

func TestAConfigurationIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode: a single goroutine parses, so there are no races to find")
	}
	path := filepath.Join(t.TempDir(), "c.yaml")
	text := make([]byte, maxConfigBytes+1)
	for i := range text {
		text[i] = '\n'
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	c := Default()
	if err := c.Load(path); err == nil {
		t.Error("a file without an end is read")
	}
	if err := os.WriteFile(path, text[1:], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Load(path); err != nil {
		t.Errorf("the largest one: %v", err)
	}
}
