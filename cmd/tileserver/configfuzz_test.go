package main

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/layer"
)

// Whatever is in a configuration, it is read or refused.
func FuzzConfig(f *testing.F) {
	for _, name := range []string{"dev.yaml", "production.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "configs", name))
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
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		c := defaultConfig()
		if c.decode("my.yaml", text) != nil || c.validate() != nil {
			return
		}
		if _, _, err := c.publicAddress(); err != nil {
			t.Errorf("what is valid has no address: %v", err)
		}
		if _, err := c.TrustedProxies.networks(); err != nil {
			t.Errorf("what is valid has no proxies: %v", err)
		}
		for i := range c.TileMatrixSets { // and no file that is named
			if c.TileMatrixSets[i].path != "" {
				return
			}
		}
		if _, err := sharedOf(c); err != nil {
			return
		}
		for i := range c.Layers {
			_ = c.Layers[i].apply(&layer.Config{ID: "any"}, c.source.at("layers[%d]", i)) // which may refuse it
		}
	})
}

func TestAConfigurationIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	text := make([]byte, maxConfigBytes+1)
	for i := range text {
		text[i] = '\n'
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	c := defaultConfig()
	if err := c.load(path); err == nil {
		t.Error("a file without an end is read")
	}
	if err := os.WriteFile(path, text[1:], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.load(path); err != nil {
		t.Errorf("the largest one: %v", err)
	}
}
