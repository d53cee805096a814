package georeference

import (
	"errors"
	"math"
	"slices"
	"testing"

	"tileserver/geo"
)

func TestWorldFileNames(t *testing.T) {
	for name, want := range map[string][]string{
		"scene.tif":  {"scene.tfw", "scene.TFW", "scene.tifw", "scene.TIFW", "scene.wld", "scene.WLD"},
		"scene.JP2":  {"scene.j2w", "scene.J2W", "scene.jp2w", "scene.JP2W", "scene.wld", "scene.WLD"},
		"a.b.jph":    {"a.b.jhw", "a.b.JHW", "a.b.jphw", "a.b.JPHW", "a.b.wld", "a.b.WLD"},
		"scene.x":    {"scene.wld", "scene.WLD"},
		"scene.ab":   {"scene.abw", "scene.ABW", "scene.wld", "scene.WLD"},
		"scene":      {"scene.wld", "scene.WLD"},
		"scene.jpeg": {"scene.jgw", "scene.JGW", "scene.jpegw", "scene.JPEGW", "scene.wld", "scene.WLD"},
	} {
		if got := WorldFileNames(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestParseWorldFile(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       geo.Affine
		ok         bool
	}{
		{"north up", "2\n0\n0\n-4\n101\n198\n", geo.Affine{A: 2, C: 100, E: -4, F: 200}, true},
		{"turned", "1 2 -4 3 10 20", geo.Affine{A: 1, B: -4, C: 11.5, D: 2, E: 3, F: 17.5}, true},
		{"decimal commas, other ends of lines, and more behind", "2,5\r\n0\r\n0\r\n-4\r\n101\r\n198\r\nhello", geo.Affine{A: 2.5, C: 99.75, E: -4, F: 200}, true},
		{"five numbers", "1 2 3 4 5", geo.Affine{}, false},
		{"words", "1 2 3 four 5 6", geo.Affine{}, false},
		{"no numbers", "1 0 0 nan 5 6", geo.Affine{}, false},
		{"numbers without end", "1 0 0 inf 5 6", geo.Affine{}, false},
		{"pixels on a line", "1 2 2 4 5 6", geo.Affine{}, false},
		{"nothing", "", geo.Affine{}, false},
	} {
		got, err := ParseWorldFile(test.text)
		if got != test.want || (err == nil) != test.ok || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: got %+v, %v, want %+v", test.name, got, err, test.want)
		}
	}
}

// FuzzWorldFile parses arbitrary text. A mapping that it returns must be usable.
func FuzzWorldFile(f *testing.F) {
	f.Add("2\n0\n0\n-4\n101\n198\n")
	f.Add("1e300 -2,5 0x1p-3 4 5 6")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseWorldFile(text)
		if err != nil {
			return
		}
		inverse, ok := a.Invert()
		if !ok {
			t.Fatalf("%+v has no inverse", a)
		}
		for _, v := range []float64{a.A, a.B, a.D, a.E, inverse.C, inverse.F} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v has the inverse %+v", a, inverse)
			}
		}
	})
}
