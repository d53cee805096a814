package nitf

import (
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/nitf/nitftest"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// tiledCodestream returns a codestream of 3 x 3 tiles, without some of them.
func tiledCodestream(without ...int) []byte {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 70, Y1: 50}, FirstTile: wavelet.Rect{X1: 30, Y1: 20}, Components: []codestream.Component{{Bits: 8, DX: 1, DY: 1}},
			Coding: codestreamtest.Coding{Levels: 2},
		},
		Sample:  func(_, x, y int) int64 { return int64(noise(x, y, 0)) },
		Without: without,
	}.Codestream()
}

// Tiles that the mask leaves out are nodata, and no damage.
func TestMasksOfCodestreams(t *testing.T) {
	missing := func(column, row, _ int) bool { return column == 1 && row == 1 || column == 2 && row == 0 }
	image := nitftest.Image{Width: 70, Height: 50, BlockWidth: 30, BlockHeight: 20, Compression: "M8", Missing: missing, Data: tiledCodestream(2, 4)}
	rastertest.Suite{
		Open: func(t *testing.T) raster.Provider { return openImage(t, image) },
		Want: func(level, _, x, y int) (float64, bool) {
			isValid := !missing(x<<level/30, y<<level/20, 0)
			if level > 0 {
				return 0, isValid
			}
			return noise(x, y, 0), isValid
		},
		Tolerance: 256, // of the coarse levels
	}.Run(t)

	m := openImage(t, image)
	l := m.Info().Levels[0]
	tile, err := raster.ReadWindow(t.Context(), m, 0, l.Bounds(), nil)
	if err != nil || !tile.Damage().IsZero() {
		t.Fatalf("%v, damage %v", err, tile.Damage())
	}
	for y := range l.Height {
		for x := range l.Width {
			if v, coverage := tile.At(0, x, y); coverage == raster.Valid && v != noise(x, y, 0) {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, v, noise(x, y, 0))
			}
		}
	}
	for _, test := range []struct {
		rect raster.Rect
		want bool
	}{
		{raster.Rect{X0: 30, Y0: 20, X1: 60, Y1: 40}, true}, {raster.Rect{X0: 29, Y0: 20, X1: 60, Y1: 40}, false}, {raster.Rect{X0: 61, X1: 69, Y1: 9}, true},
	} {
		if isEmpty, err := raster.IsEmpty(t.Context(), m, 0, test.rect); err != nil || isEmpty != test.want {
			t.Errorf("%v: empty %t, %v", test.rect, isEmpty, err)
		}
	}
}

// A codestream is read at any resolution, whatever the subheader says of its bands.
func TestCodestreams(t *testing.T) {
	for name, bands := range map[string]int{"one band": 1, "two bands": 2} {
		m := openImage(t, nitftest.Image{Width: 70, Height: 50, Compression: "C8", Data: tiledCodestream(), Bands: make([]nitftest.Band, bands), Representation: "MULTI"})
		if info := m.Info(); len(info.Bands) != 1 || len(info.Levels) != 3 || info.Levels[2].Width != 18 {
			t.Errorf("%s: %d bands, levels %+v", name, len(info.Bands), info.Levels)
		}
		rastertest.Suite{Open: func(*testing.T) raster.Provider { return m }}.Run(t)
	}
}

// Curves apply to codestreams, at any resolution and in any window.
func TestCurvesOfCodestreams(t *testing.T) {
	table := make([]byte, 256)
	bands, components := make([]nitftest.Band, 3), make([]codestream.Component, 3)
	for v := range table {
		table[v] = byte(255 - v)
	}
	for i := range bands {
		bands[i] = nitftest.Band{Representation: "RGB"[i : i+1], LUTs: [][]byte{table}}
		components[i] = codestream.Component{Bits: 8, DX: 1, DY: 1}
	}
	data := jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 70, Y1: 50}, FirstTile: wavelet.Rect{X1: 70, Y1: 50}, Components: components, Coding: codestreamtest.Coding{Levels: 2},
		},
		Sample: func(component, x, y int) int64 { return int64(noise(x, y, component)) },
	}.Codestream()
	m := openImage(t, nitftest.Image{Width: 70, Height: 50, Compression: "C8", Representation: "RGB", Bands: bands, Data: data})
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return m },
		Want: func(level, band, x, y int) (float64, bool) {
			if level > 0 {
				return 0, true
			}
			return 255 - noise(x, y, band), true
		},
		Tolerance: 256, // of the coarse levels
	}.Run(t)
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := tiles[0].At(1, 3, 2); v != 255-noise(3, 2, 1) {
		t.Errorf("a sample of %v, want %v", v, 255-noise(3, 2, 1))
	}
}
