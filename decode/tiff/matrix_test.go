package tiff

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// wave returns samples that differ between neighbors, bands and types, and that every type holds
// exactly.
func wave(bits int, format tifftest.Format) func(x, y, band int) float64 {
	return func(x, y, band int) float64 {
		v := (x*7 + y*13 + band*29 + x*y%11) % 251
		switch {
		case bits < 8:
			return float64(v % (1 << bits))
		case format == tifftest.Signed:
			return float64(v - 125)
		case format == tifftest.Float:
			return float64(v)/4 - 30
		}
		return float64(v)
	}
}

func encode(t testing.TB, f tifftest.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openBytes(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := Open(t.Context(), source.NewBytes("test", data), Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func open(t testing.TB, f tifftest.File) *File { return openBytes(t, encode(t, f)) }

// checkLevel compares all pixels of a level, in all bands.
func checkLevel(t *testing.T, m *Image, level int, want func(x, y, band int) float64, tolerance float64) {
	t.Helper()
	l := m.Info().Levels[level]
	ids := l.Covering(l.Bounds())
	tiles, err := m.Blocks(t.Context(), level, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, tile := range tiles {
		rect := l.Block(ids[i])
		if tile.Width() != rect.Width() || tile.Height() != rect.Height() || tile.Bands() != len(m.Info().Bands) {
			t.Fatalf("block %v is %dx%d with %d bands, want %+v", ids[i], tile.Width(), tile.Height(), tile.Bands(), rect)
		}
		for band := range tile.Bands() {
			for y := range tile.Height() {
				for x := range tile.Width() {
					got, coverage := tile.At(band, x, y)
					w := want(rect.X0+x, rect.Y0+y, band)
					if coverage != raster.Valid || math.Abs(got-w) > tolerance {
						t.Fatalf("level %d, band %d, pixel %d,%d: got %v with coverage %d, want %v",
							level, band, rect.X0+x, rect.Y0+y, got, coverage, w)
					}
				}
			}
		}
	}
}

type sampleKind struct {
	bits   int
	format tifftest.Format
	want   raster.DataType
}

func sampleKinds() []sampleKind {
	return []sampleKind{
		{1, tifftest.Unsigned, raster.Uint8}, {2, tifftest.Unsigned, raster.Uint8}, {4, tifftest.Unsigned, raster.Uint8},
		{8, tifftest.Unsigned, raster.Uint8}, {16, tifftest.Unsigned, raster.Uint16},
		{32, tifftest.Unsigned, raster.Uint32}, {64, tifftest.Unsigned, raster.Uint64},
		{8, tifftest.Signed, raster.Int8}, {16, tifftest.Signed, raster.Int16},
		{32, tifftest.Signed, raster.Int32}, {64, tifftest.Signed, raster.Int64},
		{32, tifftest.Float, raster.Float32}, {64, tifftest.Float, raster.Float64},
	}
}

func predictors(k sampleKind, c tifftest.Compression) []int {
	switch {
	case k.bits < 8 || c == tifftest.None || c == tifftest.PackBits:
		return []int{1}
	case k.format == tifftest.Float:
		return []int{1, 2, 3}
	}
	return []int{1, 2}
}

// TestMatrix reads files of every combination of byte order, layout, compression, predictor and
// type. Classic TIFF and BigTIFF alternate so that each meets every other choice.
func TestMatrix(t *testing.T) {
	compressions := []tifftest.Compression{
		tifftest.None, tifftest.PackBits, tifftest.LZW, tifftest.Deflate, tifftest.OldDeflate, tifftest.ZSTD,
	}
	files := 0
	for _, kind := range sampleKinds() {
		for _, compression := range compressions {
			if compression == tifftest.OldDeflate && kind.bits != 8 {
				continue // another number for the same compression
			}
			for _, predictor := range predictors(kind, compression) {
				for variant := range 8 {
					files++
					img := tifftest.Image{
						Width: 53, Height: 37, Value: wave(kind.bits, kind.format),
						Samples: 1 + variant%4, Bits: kind.bits, Format: kind.format,
						Tiled: variant&1 != 0, BlockWidth: 32, BlockHeight: 16,
						Planar: variant&2 != 0, Compression: compression, Predictor: predictor,
					}
					f := open(t, tifftest.File{BigEndian: variant&4 != 0, BigTIFF: bits.OnesCount(uint(variant))%2 != 0, Images: []tifftest.Image{img}})
					m := f.Images()[0]
					if m.Info().Type != kind.want || len(m.Info().Bands) != img.Samples {
						t.Fatalf("%+v: %d bands of %v", img, len(m.Info().Bands), m.Info().Type)
					}
					checkLevel(t, m, 0, img.Value, 0)
				}
			}
		}
	}
	t.Logf("%d files", files)
}

// TestJPEGFiles allows a tolerance: the pixels are smooth, but JPEG is lossy.
func TestJPEGFiles(t *testing.T) {
	smooth := func(x, y, band int) float64 { return float64(60 + x + y*2 + band*20) }
	for _, test := range []struct {
		name string
		img  tifftest.Image
	}{
		{"gray", tifftest.Image{Samples: 1}},
		{"gray, own tables", tifftest.Image{Samples: 1, JPEG: tifftest.JPEG{InlineTables: true}}},
		{"RGB", tifftest.Image{Samples: 3}},
		{"RGB apart", tifftest.Image{Samples: 3, Planar: true}},
		{"YCbCr", tifftest.Image{Samples: 3, Photometric: tifftest.YCbCr}},
		{"YCbCr 4:2:0", tifftest.Image{Samples: 3, Photometric: tifftest.YCbCr, JPEG: tifftest.JPEG{Subsampled: true}}},
	} {
		for _, tiled := range []bool{false, true} {
			img := test.img
			img.Width, img.Height, img.Value, img.Compression = 53, 37, smooth, tifftest.JPEGBlocks
			img.Tiled, img.BlockWidth, img.BlockHeight, img.JPEG.Quality = tiled, 32, 16, 95
			t.Run(fmt.Sprintf("%s, tiled %v", test.name, tiled), func(t *testing.T) {
				m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
				checkLevel(t, m, 0, smooth, 9)
			})
		}
	}
}

func TestNoData(t *testing.T) {
	for _, test := range []struct {
		noData string
		kind   sampleKind
		masked func(v float64) bool
	}{
		{"17", sampleKind{8, tifftest.Unsigned, raster.Uint8}, func(v float64) bool { return v == 17 }},
		{" 17\x00", sampleKind{8, tifftest.Unsigned, raster.Uint8}, func(v float64) bool { return v == 17 }},
		{"-9999", sampleKind{8, tifftest.Unsigned, raster.Uint8}, func(float64) bool { return false }},
		{"-25", sampleKind{16, tifftest.Signed, raster.Int16}, func(v float64) bool { return v == -25 }},
		{"2.5", sampleKind{32, tifftest.Float, raster.Float32}, func(v float64) bool { return v == 2.5 || math.IsNaN(v) }},
		{"nan", sampleKind{32, tifftest.Float, raster.Float32}, math.IsNaN},
		{"none", sampleKind{8, tifftest.Unsigned, raster.Uint8}, func(float64) bool { return false }},
	} {
		value := wave(test.kind.bits, test.kind.format)
		if test.kind.format == tifftest.Float {
			plain := value
			value = func(x, y, band int) float64 {
				if x == y {
					return math.NaN()
				}
				return plain(x, y, band)
			}
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{{
			Width: 33, Height: 21, Value: value, Samples: 2, Bits: test.kind.bits, Format: test.kind.format, NoData: test.noData,
		}}}).Images()[0]
		tile, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2 * 33 * 21 {
			x, y, band := i%33, i/33%21, i/33/21
			got, coverage := tile[0].At(band, x, y)
			want := value(x, y, band)
			if (coverage == raster.Invalid) != test.masked(want) || got != want && !math.IsNaN(want) {
				t.Fatalf("nodata %q: band %d, pixel %d,%d is %v with coverage %d, want %v", test.noData, band, x, y, got, coverage, want)
			}
		}
		number, err := strconv.ParseFloat(test.noData, 64)
		if band := m.Info().Bands[1]; err == nil && (!band.HasNoData || band.NoData != number && !math.IsNaN(number)) {
			t.Errorf("nodata %q: the band says %v, %v", test.noData, band.NoData, band.HasNoData)
		}
	}
}

func TestSparse(t *testing.T) {
	left := func(column, row int) bool { return (column+row)%2 == 1 }
	for _, planar := range []bool{false, true} {
		for _, noData := range []string{"", "9"} {
			img := tifftest.Image{
				Width: 53, Height: 37, Value: func(x, y, band int) float64 { return float64(100 + band) }, Samples: 2,
				Tiled: true, BlockWidth: 16, BlockHeight: 16, Sparse: left, Planar: planar, NoData: noData,
			}
			m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
			ids := m.Info().Levels[0].Covering(m.Info().Levels[0].Bounds())
			tiles, err := m.Blocks(t.Context(), 0, ids, nil)
			if err != nil {
				t.Fatal(err)
			}
			pad, _ := strconv.ParseFloat(noData, 64)
			if m.Info().Pad != pad {
				t.Errorf("pad is %v, want %v", m.Info().Pad, pad)
			}
			for i, tile := range tiles {
				for band := range 2 {
					got, coverage := tile.At(band, 1, 1)
					want, valid := float64(100+band), uint8(raster.Valid)
					if left(ids[i].Col, ids[i].Row) {
						want, valid = pad, raster.Invalid
					}
					if got != want || coverage != valid {
						t.Errorf("block %v, band %d: %v with coverage %d, want %v with %d", ids[i], band, got, coverage, want, valid)
					}
				}
			}
		}
	}
}
