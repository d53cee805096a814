package raster_test

import (
	"testing"

	"tileserver/raster"
)

func TestIsClassified(t *testing.T) {
	names := []string{"", "water"}
	for _, test := range []struct {
		name  string
		info  raster.Info
		bands []int
		want  bool
	}{
		{"amounts", raster.Info{Bands: make([]raster.Band, 2)}, nil, false},
		{"names", raster.Info{Type: raster.Uint8, Bands: []raster.Band{{}, {Categories: names}}}, nil, true},
		{"names in a band that is asked for", raster.Info{Type: raster.Int32, Bands: []raster.Band{{}, {Categories: names}}}, []int{0, 1}, true},
		{"names in another", raster.Info{Type: raster.Uint16, Bands: []raster.Band{{}, {Categories: names}}}, []int{0}, false},
		{"no bands", raster.Info{Type: raster.Uint16, Bands: []raster.Band{{Categories: names}}}, []int{}, false},
		{"floats", raster.Info{Type: raster.Float32, Bands: []raster.Band{{Categories: names}}}, nil, false},
		{"complex numbers", raster.Info{Type: raster.Complex64, Bands: []raster.Band{{Categories: names}}}, nil, false},
		{"a palette", raster.Info{Type: raster.Uint8, Bands: []raster.Band{{Color: raster.PaletteIndex}}}, nil, true},
		{"a palette in another", raster.Info{Type: raster.Uint8, Bands: []raster.Band{{}, {Color: raster.PaletteIndex}}}, []int{0}, true},
	} {
		if got := test.info.IsClassified(test.bands); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
