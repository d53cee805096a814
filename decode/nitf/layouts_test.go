package nitf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"tileserver/decode"
	"tileserver/decode/container"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source"
)

// open opens a file in memory.
func open(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := openBytes(t, data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func openBytes(t testing.TB, data []byte) (*File, error) {
	t.Helper()
	return Open(t.Context(), source.NewBytes("scene.ntf", data), Config{Pool: pool.New(pool.Config{Workers: 2}), Key: "key"})
}

// openImage opens the only image of a file.
func openImage(t testing.TB, m nitftest.Image) container.Image {
	t.Helper()
	image := open(t, nitftest.File{Images: []nitftest.Image{m}}.Bytes()).Images()[0]
	if err := image.Unsupported(); err != nil {
		t.Fatal(err)
	}
	return image
}

// modes are the values of IMODE.
var modes = []string{"B", "P", "R", "S"}

func noise(x, y, band int) float64 { return float64((x*x + 7*y*y*x + 13*band + 5*y) % 251) }

// Samples of every type and number of bits are read in every layout, with blocks that the edges cut
// off, and any block and band of them alone.
func TestLayouts(t *testing.T) {
	signed := func(x, y, band int) float64 { return noise(x, y, band) - 125 }
	bit := func(x, y, band int) float64 { return float64(int(noise(x, y, band)) & 1) }
	for _, kind := range []struct {
		name, valueType string
		bits            int
		value           func(x, y, band int) float64
	}{
		{"bytes", "INT", 8, noise}, {"16 bits", "INT", 16, noise}, {"signed 16 bits", "SI", 16, signed}, {"signed 8 bits", "SI", 8, signed},
		{"32 bits", "INT", 32, noise}, {"64 bits", "INT", 64, noise}, {"floats", "R", 32, signed}, {"doubles", "R", 64, signed},
		{"12 bits", "INT", 12, noise}, {"signed 12 bits", "SI", 12, signed}, {"bits", "B", 1, bit}, {"4 bits", "INT", 4, func(x, y, band int) float64 { return math.Mod(noise(x, y, band), 16) }},
	} {
		for _, mode := range modes {
			for _, width := range []int{16, 13} {
				t.Run(fmt.Sprintf("%s %s %d", kind.name, mode, width), func(t *testing.T) {
					rastertest.Suite{
						Open: func(t *testing.T) raster.Provider {
							return openImage(t, nitftest.Image{
								Width: 37, Height: 21, BlockWidth: width, BlockHeight: 8, Mode: mode, Representation: "MULTI",
								Bands: make([]nitftest.Band, 3), ValueType: kind.valueType, Bits: kind.bits, Value: kind.value,
							})
						},
						Want: func(_, band, x, y int) (float64, bool) { return kind.value(x, y, band), true },
					}.Run(t)
				})
			}
		}
	}
}

// An image of one large block is read in parts, whatever its layout.
func TestOneBlockIsReadInParts(t *testing.T) {
	value := func(x, y, band int) float64 { return float64((x + 31*y + 77*band) % 4093) }
	for _, mode := range modes {
		for _, bits := range []int{16, 12} {
			for _, width := range []int{1400, 1397, 900} {
				if mode == "R" && width*bits%8 != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s %d bits %d wide", mode, bits, width), func(t *testing.T) {
					m := openImage(t, nitftest.Image{Width: width, Height: 1100, Mode: mode, Bands: make([]nitftest.Band, 2), Representation: "MULTI", Bits: bits, Value: value})
					l := m.Info().Levels[0]
					if l.Rows() < 2 {
						t.Errorf("blocks of %dx%d", l.BlockWidth, l.BlockHeight)
					}
					rastertest.Suite{
						Open: func(*testing.T) raster.Provider { return m },
						Want: func(_, band, x, y int) (float64, bool) { return value(x, y, band), true },
					}.Run(t)
				})
			}
		}
	}
}

// Blocks that the mask leaves out, and pad pixels, are nodata.
func TestMasks(t *testing.T) {
	missing := func(column, row, _ int) bool { return (column+row)%2 == 1 }
	invalid := func(x, y int) bool { return x%5 == 3 && y > 2 }
	const pad = 252 // no value of noise
	for _, mode := range modes {
		for _, version := range []nitftest.Version{nitftest.NITF21, nitftest.NITF20} {
			t.Run(fmt.Sprintf("%s %v", mode, version), func(t *testing.T) {
				data := nitftest.File{Version: version, Images: []nitftest.Image{{
					Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8, Mode: mode, Compression: "NM", Bands: make([]nitftest.Band, 2), Representation: "MULTI",
					Value: noise, Missing: missing, Invalid: invalid, Pad: pad,
				}}}.Bytes()
				rastertest.Suite{
					Open: func(t *testing.T) raster.Provider { return open(t, data).Images()[0] },
					Want: func(_, band, x, y int) (float64, bool) {
						return noise(x, y, band), !missing(x/16, y/8, band) && !invalid(x, y)
					},
				}.Run(t)
				checkEmpty(t, open(t, data).Images()[0], missing)
			})
		}
	}
}

func checkEmpty(t *testing.T, m raster.Provider, missing func(column, row, band int) bool) {
	t.Helper()
	for row := range 3 {
		for column := range 3 {
			rect := raster.Rect{X0: 16 * column, Y0: 8 * row, X1: 16*column + 5, Y1: 8*row + 5}
			if isEmpty, err := raster.IsEmpty(t.Context(), m, 0, rect); err != nil || isEmpty != missing(column, row, 0) {
				t.Errorf("block %d,%d: empty %t, %v", column, row, isEmpty, err)
			}
		}
	}
}

// Blocks of a mask may share their bytes.
func TestBlocksWithTheSameBytes(t *testing.T) {
	const columns, rows, side = 3, 2, 8
	for _, compression := range []string{"NM", "M3", "M5"} {
		m := openImage(t, nitftest.Image{
			Width: columns * side, Height: rows * side, BlockWidth: side, BlockHeight: side, Compression: compression,
			Value:  func(int, int, int) float64 { return 77 },
			Fields: nitftest.Fields{"BMR": string(make([]byte, 4*columns*rows))},
		})
		l := m.Info().Levels[0]
		tiles, err := m.Blocks(t.Context(), 0, l.Covering(l.Bounds()), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tile := range tiles {
			if v, coverage := tile.At(0, 5, 6); v != 77 || coverage != raster.Valid {
				t.Errorf("%s: block %d is %v with coverage %d", compression, i, v, coverage)
			}
		}
	}
}

// Pixels that have the pad value by chance are valid in blocks without pad pixels.
func TestPadValueCountsInItsBlocksOnly(t *testing.T) {
	m := openImage(t, nitftest.Image{
		Width: 32, Height: 8, BlockWidth: 16, Compression: "NM", Value: func(int, int, int) float64 { return 7 },
		Invalid: func(x, _ int) bool { return x == 20 }, Pad: 7,
	})
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 0}, {Col: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !tiles[0].AllValid() || tiles[1].AnyValid() {
		t.Errorf("all valid: %t; any valid beside it: %t", tiles[0].AllValid(), tiles[1].AnyValid())
	}
}

// Compressed blocks are read in all layouts that they come in.
func TestCompressions(t *testing.T) {
	smooth := func(x, y, band int) float64 { return float64(60 + x/2 + y/3 + 20*band) }
	rgb := []nitftest.Band{{Representation: "R"}, {Representation: "G"}, {Representation: "B"}}
	blocked := nitftest.Image{Width: 37, Height: 21, BlockWidth: 16, BlockHeight: 8, Value: smooth}
	missing := func(column, row, _ int) bool { return column == 1 && row == 1 }
	for name, test := range map[string]struct {
		change    func(m *nitftest.Image)
		tolerance float64
	}{
		"JPEG":                            {func(m *nitftest.Image) { m.Compression = "C3" }, 4},
		"JPEG with a mask":                {func(m *nitftest.Image) { m.Compression, m.Missing = "M3", missing }, 4},
		"JPEG of colors":                  {func(m *nitftest.Image) { m.Compression, m.Mode, m.Representation, m.Bands = "C3", "P", "YCbCr601", rgb }, 8},
		"JPEG of colors, each in a scan":  {func(m *nitftest.Image) { m.Compression, m.Mode, m.Representation, m.Bands = "C3", "B", "YCbCr601", rgb }, 8},
		"JPEG by band":                    {func(m *nitftest.Image) { m.Compression, m.Mode, m.Representation, m.Bands = "C3", "S", "MULTI", rgb }, 4},
		"lossless JPEG":                   {func(m *nitftest.Image) { m.Compression, m.Bits = "C5", 12 }, 0},
		"lossless JPEG with a mask":       {func(m *nitftest.Image) { m.Compression, m.Missing = "M5", missing }, 0},
		"vector quantization":             {func(m *nitftest.Image) { m.Compression = "C4" }, 0},
		"vector quantization with a mask": {func(m *nitftest.Image) { m.Compression, m.Missing = "M4", missing }, 0},
		"downsampled JPEG":                {func(m *nitftest.Image) { m.Compression, m.BlockWidth, m.BlockHeight = "I1", 0, 0 }, 6},
	} {
		m := blocked
		test.change(&m)
		t.Run(name, func(t *testing.T) {
			rastertest.Suite{
				Open: func(t *testing.T) raster.Provider { return openImage(t, m) },
				Want: func(_, band, x, y int) (float64, bool) {
					return smooth(x, y, band), m.Missing == nil || !missing(x/16, y/8, band)
				},
				Tolerance: test.tolerance,
			}.Run(t)
		})
	}
}

// Blocks of a fax may be left out, as those of other compressions.
func TestFaxWithAMask(t *testing.T) {
	const side, rows = 7, 5
	white := bytes.Repeat([]byte{0x00, 0x1f}, rows) // EOL and a run of 7 pixels
	m := openImage(t, nitftest.Image{
		Width: 2 * side, Height: rows, BlockWidth: side, Compression: "M1", Rate: "1D", Bits: 1, ValueType: "B",
		Stored: func(int, int, int) []byte { return white }, Missing: func(column, _, _ int) bool { return column == 0 },
	})
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 0}, {Col: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if tiles[0].AnyValid() || !tiles[1].AllValid() || !tiles[1].Damage().IsZero() {
		t.Errorf("valid: %t, %t; damage %v", tiles[0].AnyValid(), tiles[1].AllValid(), tiles[1].Damage())
	}
	for x := range side {
		if v, _ := tiles[1].At(0, x, rows-1); v != 0 {
			t.Errorf("pixel %d is %v", x, v)
		}
	}
}

func TestTablesBecomePalettes(t *testing.T) {
	red, green, blue := []byte{1, 2, 3}, []byte{4, 5, 6}, []byte{7, 8, 9}
	for name, test := range map[string]struct {
		tables [][]byte
		want   raster.RGBA // of the sample 1
	}{
		"of grays":  {[][]byte{red}, raster.RGBA{R: 2, G: 2, B: 2, A: 255}},
		"of colors": {[][]byte{red, green, blue}, raster.RGBA{R: 2, G: 5, B: 8, A: 255}},
	} {
		m := openImage(t, nitftest.Image{Representation: "RGB/LUT", Bands: []nitftest.Band{{Representation: "LU", LUTs: test.tables}}})
		if info := m.Info(); len(info.Palette) != 3 || info.Palette[1] != test.want || info.Bands[0].Color != raster.PaletteIndex {
			t.Errorf("%s: %+v and %v", name, info.Palette, info.Bands[0].Color)
		}
	}
}

// One band is read whatever the mode, and a compression of the writer's own if it is none.
func TestFieldsThatMeanNothing(t *testing.T) {
	for name, image := range map[string]nitftest.Image{
		"blank mode": {Fields: nitftest.Fields{"IMODE": " "}}, "C0": {Compression: "C0", Data: make([]byte, 35)},
	} {
		if _, err := openImage(t, image).Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, image := range map[string]nitftest.Image{
		"blank mode of bands": {Fields: nitftest.Fields{"IMODE": " "}, Bands: make([]nitftest.Band, 2)}, "short C0": {Compression: "C0", Data: make([]byte, 34)},
	} {
		if err := open(t, nitftest.File{Images: []nitftest.Image{image}}.Bytes()).Images()[0].Unsupported(); !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Tables that only say that samples are grays make no palette, which could not be interpolated.
func TestRampsAreGrays(t *testing.T) {
	ramp := make([]byte, 256)
	for i := range ramp {
		ramp[i] = byte(i)
	}
	inverse := slices.Clone(ramp)
	slices.Reverse(inverse)
	for name, test := range map[string]struct {
		bits   int
		tables [][]byte
		isGray bool
	}{
		"a ramp": {8, [][]byte{ramp}, true}, "three ramps": {8, [][]byte{ramp, ramp, ramp}, true}, "a ramp of two": {1, [][]byte{{0, 255}}, true},
		"inverse": {8, [][]byte{inverse}, false}, "two colors": {1, [][]byte{{0, 255}, {0, 255}, {0, 0}}, false}, "short": {8, [][]byte{ramp[:200]}, false},
	} {
		info := openImage(t, nitftest.Image{Bits: test.bits, Bands: []nitftest.Band{{Representation: "LU", LUTs: test.tables}}}).Info()
		if isGray := info.Bands[0].Color == raster.Gray; isGray != test.isGray || isGray != (info.Palette == nil) {
			t.Errorf("%s: %v, %d colors", name, info.Bands[0].Color, len(info.Palette))
		}
	}
}
