package display

import (
	"slices"
	"testing"

	"tileserver/raster"
)

func TestColorMapNames(t *testing.T) {
	names := ColorMapNames()
	if !slices.IsSorted(names) {
		t.Errorf("%v are not in order", names)
	}
	for _, name := range names {
		m, ok := NamedColorMap(name)
		r, reversed := NamedColorMap(name + "_r")
		if !ok || !reversed {
			t.Fatalf("there is no %s", name)
		}
		colors, other := m.Colors(), r.Colors()
		slices.Reverse(other[:])
		if colors != other || colors[0] == colors[255] || colors[7].A != 255 {
			t.Errorf("%s runs from %v to %v, reversed from %v to %v", name, colors[0], colors[255], other[255], other[0])
		}
	}
	for _, name := range []string{"", "_r", "beige", "Viridis", "viridis_r_r"} {
		if _, ok := NamedColorMap(name); ok {
			t.Errorf("there is a colour map %q", name)
		}
	}
}

// TestColorMapsAreTheKnownOnes compares with colours of the published tables that are not
// among the stops.
func TestColorMapsAreTheKnownOnes(t *testing.T) {
	tests := []struct {
		name      string
		at        int
		want      raster.RGBA
		tolerance int
	}{
		{"gray", 93, raster.RGBA{R: 93, G: 93, B: 93, A: 255}, 0},
		{"viridis", 128, raster.RGBA{R: 0x21, G: 0x91, B: 0x8c, A: 255}, 3},
		{"viridis", 64, raster.RGBA{R: 0x3b, G: 0x52, B: 0x8b, A: 255}, 3},
		{"magma", 128, raster.RGBA{R: 0xb7, G: 0x37, B: 0x79, A: 255}, 3},
		{"inferno", 128, raster.RGBA{R: 0xbc, G: 0x37, B: 0x54, A: 255}, 3},
		{"plasma", 128, raster.RGBA{R: 0xcc, G: 0x47, B: 0x78, A: 255}, 3},
		{"cividis", 20, raster.RGBA{R: 0, G: 48, B: 112, A: 255}, 6},
		{"cividis", 128, raster.RGBA{R: 125, G: 124, B: 120, A: 255}, 3},
		{"terrain", 51, raster.RGBA{R: 0, G: 179, B: 179, A: 255}, 1},
		{"rdylgn", 0, raster.RGBA{R: 0xa5, G: 0, B: 0x26, A: 255}, 0},
		{"rdylgn", 255, raster.RGBA{R: 0, G: 0x68, B: 0x37, A: 255}, 0},
	}
	for _, test := range tests {
		m, ok := NamedColorMap(test.name)
		if !ok {
			t.Fatalf("there is no %s", test.name)
		}
		got := m.Colors()[test.at]
		off := max(difference(got.R, test.want.R), difference(got.G, test.want.G), difference(got.B, test.want.B))
		if off > test.tolerance {
			t.Errorf("%s at %d: got %v, want %v", test.name, test.at, got, test.want)
		}
	}
}

func difference(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
