package colormap

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// knownNames are the names of matplotlib and cmocean without duplicates, and the project's own.
const knownNames = `
	accent afmhot algae amp autumn balance binary blues bone brbg brg bugn bupu bwr cividis cmrmap cool coolwarm
	copper cubehelix curl dark2 deep delta dense diff flag gist_earth gist_gray gist_heat gist_ncar gist_rainbow
	gist_stern gist_yarg gnbu gnuplot gnuplot2 gray greens greys haline hot hsv hypsometric ice inferno jet magma matter
	nipy_spectral ocean oranges orrd oxy paired pastel1 pastel2 phase pink piyg plasma prgn prism pubu pubugn puor
	purd purples rain rainbow rdbu rdgy rdpu rdylbu rdylgn reds seismic set1 set2 set3 solar spectral speed spring
	summer tab10 tab20 tab20b tab20c tarn tempo terrain thermal topo turbid turbo twilight twilight_shifted viridis
	winter wistia ylgn ylgnbu ylorbr ylorrd`

func TestNames(t *testing.T) {
	got, want := Names(), strings.Fields(knownNames)
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	for _, name := range want {
		for _, suffix := range []string{"", ReversedSuffix} {
			colors, ok := Named(name + suffix)
			if !ok {
				t.Errorf("there is no %s", name+suffix)
				continue
			}
			if slices.ContainsFunc(colors[:], func(c Color) bool { return c.A != 255 }) {
				t.Errorf("%s is not opaque", name+suffix)
			}
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for _, name := range []string{"", "_r", "beige", "Viridis", "viridis_r_r", "viridis ", "viridis/", "tables.zip", "zzz", "a"} {
		if _, ok := Named(name); ok {
			t.Errorf("there is a color map %q", name)
		}
	}
}

// TestPublishedTables compares digests with those of the maps that matplotlib 3.6 computes, rounded
// down, and of the cmocean files. Reversed maps must be those of matplotlib, whose steps and
// rounding differ from a reversed table.
func TestPublishedTables(t *testing.T) {
	tests := []struct{ name, want string }{
		{"viridis", "96a1f6f37d4041f9"},
		{"viridis_r", "74ee8122808f5888"},
		{"turbo", "8f5d5edf6af4af05"},
		{"turbo_r", "4cee36b69930c6b2"},
		{"twilight", "3976149ab2028699"},
		{"twilight_r", "b23c58b574817f97"},
		{"tab20", "c63279a3d07b523c"},
		{"tab20_r", "f9e7011560304537"},
		{"paired", "382ba4c33c91ac5c"},
		{"paired_r", "6be408a3fd3d8059"},
		{"cubehelix", "b5ad95c828af18f4"},
		{"cubehelix_r", "a65d62023f5231e6"},
		{"gist_ncar", "21ccdf24b1ff7a3d"},
		{"gist_ncar_r", "9301ebae8726d611"},
		{"rdylgn", "70caf19be643875b"},
		{"rdylgn_r", "cbbfb34ae4725cc2"},
		{"terrain", "1184d9dd7145cdf2"},
		{"terrain_r", "4a9084826c34a9f1"},
		{"cmrmap", "6c7a917e37d95229"},
		{"cmrmap_r", "f358814547eaab60"},
		{"flag", "5b2fb18f344610e9"},
		{"flag_r", "70362b73e438e890"},
		{"gray", "c15598e2bf5c6ff3"},
		{"gray_r", "27f5a8ed17641838"},
		{"hsv", "dfe1dfbe5dd2b16d"},
		{"hsv_r", "b0abd508fece02b2"},
		{"coolwarm", "161fad279ef7b15f"},
		{"coolwarm_r", "021549e72ee0ee5d"},
		{"thermal", "84aedecbeb087d4a"},
		{"oxy", "52f808ba72cdf4f4"},
	}
	for _, test := range tests {
		colors, ok := Named(test.name)
		if !ok {
			t.Errorf("there is no %s", test.name)
			continue
		}
		if got := digestOf(colors); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func digestOf(colors *[256]Color) string {
	var samples []byte
	for _, c := range colors {
		samples = append(samples, c.R, c.G, c.B)
	}
	digest := sha256.Sum256(samples)
	return hex.EncodeToString(digest[:8])
}

func TestWellKnownColors(t *testing.T) {
	tests := []struct {
		name string
		at   int
		want string
	}{
		{"gray", 0, "#000000ff"},
		{"gray", 255, "#ffffffff"},
		{"viridis", 0, "#440154ff"},
		{"viridis", 255, "#fde724ff"},
		{"magma", 255, "#fbfcbfff"},
		{"turbo", 0, "#30123bff"},
		{"rdylgn", 0, "#a50026ff"},
		{"rdylgn_r", 0, "#006837ff"},
		{"tab10", 0, "#1f77b4ff"},
		{"tab10_r", 255, "#1f77b4ff"},
		{"thermal", 0, "#042333ff"},
		{"thermal_r", 255, "#042333ff"},
	}
	for _, test := range tests {
		colors, ok := Named(test.name)
		if !ok {
			t.Errorf("there is no %s", test.name)
			continue
		}
		if got := colors[test.at].String(); got != test.want {
			t.Errorf("%s at %d: got %s, want %s", test.name, test.at, got, test.want)
		}
	}
}

// TestReversedMaps tolerates differences by matplotlib's rounding.
func TestReversedMaps(t *testing.T) {
	for _, name := range []string{"viridis", "gray", "spectral", "twilight", "jet", "haline"} {
		colors, _ := Named(name)
		reversed, ok := Named(name + ReversedSuffix)
		if !ok {
			t.Fatalf("there is no %s reversed", name)
		}
		for i, c := range reversed {
			if off := maxDifference(c, colors[255-i]); off > 2 {
				t.Errorf("%s reversed at %d: got %v, want about %v", name, i, c, colors[255-i])
			}
		}
	}
}

// maxDifference returns the largest difference of a channel.
func maxDifference(a, b Color) int {
	off := 0
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		off = max(off, int(pair[0])-int(pair[1]), int(pair[1])-int(pair[0]))
	}
	return off
}

func TestNamedReturnsCopy(t *testing.T) {
	colors, _ := Named("viridis")
	colors[0] = Color{}
	if again, _ := Named("viridis"); again[0] == colors[0] {
		t.Error("a caller's change appears in the next map")
	}
}

// Every tile from the cache names its map as well, which must not unpack the map again.
func TestNamedUnpacksOnce(t *testing.T) {
	Named("viridis_r")
	if count := testing.AllocsPerRun(20, func() { Named("viridis_r") }); count > 1 {
		t.Errorf("a repeated request takes %.0f allocations, want one for the copy", count)
	}
}

func BenchmarkNamed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := Named("viridis_r"); !ok {
			b.Fatal("there is no viridis_r")
		}
	}
}
