package nitf

import (
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/nitf/nitftest"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// codestreamOf returns a codestream of tiles of 30 x 20 pixels, without some of them.
func codestreamOf(width, height int, sample func(x, y int) float64, without ...int) []byte {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: width, Y1: height}, FirstTile: wavelet.Rect{X1: 30, Y1: 20}, Components: []codestream.Component{{Bits: 8, DX: 1, DY: 1}},
			Coding: codestreamtest.Coding{Levels: 2},
		},
		Sample:  func(_, x, y int) int64 { return int64(sample(x, y)) },
		Without: without,
	}.Codestream()
}

// tiledCodestream returns a codestream of 3 x 3 tiles, without some of them.
func tiledCodestream(without ...int) []byte {
	return codestreamOf(70, 50, func(x, y int) float64 { return noise(x, y, 0) }, without...)
}

// wholeLevels returns the pixels of all levels of a provider.
func wholeLevels(t *testing.T, p raster.Provider) (levels []raster.Tile) {
	t.Helper()
	for level, l := range p.Info().Levels {
		tile, err := raster.ReadWindow(t.Context(), p, level, l.Bounds(), nil)
		if err != nil {
			t.Fatal(err)
		}
		levels = append(levels, tile)
	}
	return levels
}

// Tiles that the mask leaves out are nodata, and no damage. The others are what they are without a
// mask, at all levels: tiles do not depend on each other.
func TestMasksOfCodestreams(t *testing.T) {
	whole := wholeLevels(t, openImage(t, nitftest.Image{Width: 70, Height: 50, Compression: "C8", Data: tiledCodestream()}))
	for name, test := range map[string]struct {
		width, height int // of blocks
		without       []int
		missing       func(column, row, _ int) bool
	}{
		"by tile":                {30, 20, []int{2, 4}, func(column, row, _ int) bool { return column == 1 && row == 1 || column == 2 && row == 0 }},
		"a few pixels each":      {2, 1, nil, func(column, row, _ int) bool { return (column*7+row*5)%3 == 0 }},
		"a pixel each":           {1, 1, []int{4}, func(column, row, _ int) bool { return column/30 == 1 && row/20 == 1 || (column+row)%2 == 0 }},
		"larger than tiles":      {50, 40, nil, func(column, row, _ int) bool { return column == 0 && row == 1 }},
		"all of them":            {30, 20, nil, func(int, int, int) bool { return true }},
		"none of them by a mask": {30, 20, nil, func(int, int, int) bool { return false }},
	} {
		t.Run(name, func(t *testing.T) {
			image := nitftest.Image{Width: 70, Height: 50, BlockWidth: test.width, BlockHeight: test.height, Compression: "M8", Missing: test.missing, Data: tiledCodestream(test.without...)}
			m := openImage(t, image)
			if !m.Info().Masked {
				t.Error("the image is not masked")
			}
			rastertest.Suite{
				Open: func(t *testing.T) raster.Provider { return openImage(t, image) },
				Want: func(level, _, x, y int) (float64, bool) {
					v, _ := whole[level].At(0, x, y)
					return v, !test.missing(x<<level/test.width, y<<level/test.height, 0)
				},
			}.Run(t)
			for level, tile := range wholeLevels(t, m) {
				if !tile.Damage().IsZero() {
					t.Errorf("level %d has the damage %v", level, tile.Damage())
				}
			}
		})
	}
}

func TestEmptyPartsOfMaskedCodestreams(t *testing.T) {
	missing := func(column, row, _ int) bool { return column == 1 && row == 1 || column == 2 && row == 0 }
	m := openImage(t, nitftest.Image{Width: 70, Height: 50, BlockWidth: 30, BlockHeight: 20, Compression: "M8", Missing: missing, Data: tiledCodestream(2, 4)})
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

// Pad pixels of a codestream are nodata in the blocks that have some. The codestream's own coarse
// levels blend them with the pixels around, so that they are not used.
func TestPadPixelsOfCodestreams(t *testing.T) {
	const pad = 8 // noise has it, too
	invalid := func(x, y int) bool { return x >= 35 && x < 50 && y < 13 }
	missing := func(column, row, _ int) bool { return column == 0 && row == 1 }
	data := codestreamOf(60, 40, func(x, y int) float64 {
		if invalid(x, y) {
			return pad
		}
		return noise(x, y, 0)
	}, 2)
	image := nitftest.Image{Width: 60, Height: 40, BlockWidth: 30, BlockHeight: 20, Compression: "M8", Invalid: invalid, Pad: pad, Missing: missing, Data: data}
	m := openImage(t, image)
	info := m.Info()
	if !info.Masked || info.Pad != pad || len(info.Levels) != 1 {
		t.Errorf("masked %t, pad %v, %d levels", info.Masked, info.Pad, len(info.Levels))
	}
	isPadded := func(x, y int) bool { return x >= 30 && y < 20 }
	byChance := 0
	rastertest.Suite{
		Open: func(t *testing.T) raster.Provider { return openImage(t, image) },
		Want: func(_, _, x, y int) (float64, bool) {
			v := noise(x, y, 0)
			if v == pad && !isPadded(x, y) {
				byChance++
			}
			return v, !invalid(x, y) && !missing(x/30, y/20, 0) && !(isPadded(x, y) && v == pad)
		},
	}.Run(t)
	if byChance == 0 {
		t.Error("no sound pixel has the pad value")
	}
	for _, tile := range wholeLevels(t, m) {
		if v, _ := tile.At(0, 5, 25); v != pad || !tile.Damage().IsZero() {
			t.Errorf("a pixel that is left out is %v, and the damage %v", v, tile.Damage())
		}
	}
}

// However small blocks are, each tile of the codestream is read as one window.
func TestSmallBlocksAreReadTogether(t *testing.T) {
	m := openImage(t, nitftest.Image{
		Width: 70, Height: 50, BlockWidth: 1, BlockHeight: 1, Compression: "M8", Data: tiledCodestream(),
		Missing: func(column, row, _ int) bool { return (column*7+row*5)%3 == 0 },
	}).(*codestreamImage)
	const tiles = 9
	for level, l := range m.Info().Levels {
		w, err := m.blocks.maskOf(t.Context(), level, l.Bounds())
		if err != nil || w.leftOut == nil || len(w.stored) > tiles {
			t.Errorf("level %d: %d windows, %v", level, len(w.stored), err)
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

// HTJ2K has a compression of its own, with and without a mask. The samples are those of the reference.
func TestHTJ2K(t *testing.T) {
	folder, path := testdataFolder(t), "jp2k/openhtj2k/ds0_ht_01_b11.j2k"
	data, err := os.ReadFile(filepath.Join(folder, path))
	if err != nil {
		t.Fatal(err)
	}
	image := nitftest.Image{Width: 128, Height: 128, Compression: "CD", Data: data}
	masked := image
	masked.Compression, masked.BlockWidth, masked.BlockHeight = "MD", 64, 64
	masked.Missing = func(column, row, _ int) bool { return false }
	for _, m := range []nitftest.Image{image, masked} {
		p := openImage(t, m)
		planes, err := planesOf(t, p)
		if err != nil {
			t.Fatal(err)
		}
		if outcome, err := compareComponents(t, folder, path, p, planes); err != nil {
			t.Errorf("%s: %s: %v", m.Compression, outcome, err)
		}
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
