package jp2k

import (
	"math"
	"slices"
	"testing"

	"tileserver/cache"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/components"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/pool"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/source/sourcetest"
)

// grayImage returns one tile with odd sides that does not begin at zero.
func grayImage() jp2ktest.Image {
	return jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X0: 5, Y0: 3, X1: 306, Y1: 252}, Components: jp2ktest.Components(1, 8),
			Coding: codestreamtest.Coding{Levels: 3, BlockWidthLog2: 4, BlockHeightLog2: 5},
		},
		Sample: jp2ktest.Pattern(8),
	}
}

// bandsImage returns independent bands with different signs and sizes.
func bandsImage() jp2ktest.Image {
	m := jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: 130, Y1: 75}, Components: jp2ktest.Components(5, 12), Steps: codestreamtest.ReversibleSteps(12, 2),
			Coding: codestreamtest.Coding{Levels: 2, BlockWidthLog2: 4, BlockHeightLog2: 4, Style: codestream.Bypass | codestream.VerticallyCausal},
		},
	}
	m.Sample = jp2ktest.Pattern(12)
	return m
}

// openImage is an open image and its source.
type openImage struct {
	*Image
	src    *sourcetest.Fake
	shared *components.Shared
}

// open opens an image for a test.
func open(t testing.TB, data []byte, change func(*Config)) openImage {
	t.Helper()
	o := openImage{src: sourcetest.NewFake(data), shared: components.NewShared(cache.New(32<<20), 4<<20)}
	config := Config{Config: components.Config{Pool: pool.New(pool.Config{Workers: 2, Budget: cache.NewBudget(128 << 20)}), Shared: o.shared}}
	if change != nil {
		change(&config)
	}
	o.shared = config.Shared
	f, err := Open(t.Context(), o.src, config)
	if err != nil {
		t.Fatal(err)
	}
	o.Image = f.Images()[0]
	return o
}

// expectedSamples returns the expected samples of the finest level.
func expectedSamples(m jp2ktest.Image) func(level, band, x, y int) (float64, bool) {
	return func(_, band, x, y int) (float64, bool) {
		return float64(m.Sample(band, m.Image.X0+x, m.Image.Y0+y)), true
	}
}

func TestProvider(t *testing.T) {
	for name, m := range map[string]jp2ktest.Image{"gray": grayImage(), "rgb": jp2ktest.RGB(), "bands": bandsImage()} {
		data := m.Codestream()
		t.Run(name, func(t *testing.T) {
			rastertest.Suite{Open: func(t *testing.T) raster.Provider { return open(t, data, nil) }}.Run(t)
			o := open(t, data, nil)
			want := expectedSamples(m)
			l := o.Info().Levels[0]
			for i, tile := range blocks(t, o, 0, l.Covering(l.Bounds()), nil) {
				r := l.Block(l.Covering(l.Bounds())[i])
				for band := range tile.Bands() {
					for y := range tile.Height() {
						for x := range tile.Width() {
							value, _ := want(0, band, r.X0+x, r.Y0+y)
							if got, validity := tile.At(band, x, y); got != value || validity != raster.Valid {
								t.Fatalf("band %d, pixel %d,%d is %v (validity %d), want %v", band, r.X0+x, r.Y0+y, got, validity, value)
							}
						}
					}
				}
			}
		})
	}
}

func blocks(t testing.TB, p raster.Provider, level int, ids []raster.BlockID, bands []int) []raster.Tile {
	t.Helper()
	tiles, err := p.Blocks(t.Context(), level, ids, bands)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

func TestLevels(t *testing.T) {
	levels := open(t, grayImage().Codestream(), nil).Info().Levels
	if len(levels) != 4 {
		t.Fatalf("%d levels, want 4", len(levels))
	}
	for d, want := range []raster.Level{
		{Width: 301, Height: 249, ScaleX: 1, ScaleY: 1},
		{Width: 150, Height: 124, ScaleX: 2, ScaleY: 2, OffsetX: 0.5, OffsetY: 0.5}, // begins at 6, 4
		{Width: 75, Height: 62, ScaleX: 4, ScaleY: 4, OffsetX: 1.5, OffsetY: -0.5},  // begins at 8, 4
		{Width: 38, Height: 31, ScaleX: 8, ScaleY: 8, OffsetX: -0.5, OffsetY: 1.5},  // begins at 8, 8
	} {
		want.BlockWidth, want.BlockHeight = 64, 64
		if levels[d] != want {
			t.Errorf("level %d is %+v, want %+v", d, levels[d], want)
		}
	}
}

// deepImage returns a gray image of many bits. Exponents go to 31 and guard bits to 7, so bands
// have at most 37 bit-planes.
func deepImage(bits int) jp2ktest.Image {
	m := grayImage()
	m.Components[0].Bits, m.Sample = bits, jp2ktest.Pattern(bits)
	m.Steps = codestreamtest.Steps{GuardBits: 7, Exponents: slices.Repeat([]int{min(bits-4, 31)}, 10)}
	return m
}

// Samples that need more than 32 bits on the way are computed with more, and come back unchanged.
func TestDeepSamples(t *testing.T) {
	for _, bits := range []int{27, 29, 32, 36} {
		m := deepImage(bits)
		o := open(t, m.Codestream(), nil)
		l := o.Info().Levels[0]
		tile, err := o.Window(t.Context(), 0, l.Bounds(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for at := range l.Width * l.Height {
			x, y := at%l.Width, at/l.Width
			if got, _ := tile.At(0, x, y); got != float64(m.Sample(0, m.Image.X0+x, m.Image.Y0+y)) {
				t.Fatalf("%d bits: pixel %d,%d is %v, want %d", bits, x, y, got, m.Sample(0, m.Image.X0+x, m.Image.Y0+y))
			}
		}
	}
}

// The levels register: a ramp stays in place on all levels.
func TestLevelsRegister(t *testing.T) {
	m := grayImage()
	m.Components[0].Bits, m.Steps = 12, codestreamtest.ReversibleSteps(12, 3)
	m.Sample = func(_, x, y int) int64 { return int64(8 * x) }
	o := open(t, m.Codestream(), nil)
	for d, l := range o.Info().Levels {
		tile := blocks(t, o, d, []raster.BlockID{{}}, nil)[0]
		for x := 2; x < 10; x++ {
			got, _ := tile.At(0, x, 5)
			center := l.OffsetX + (float64(x)+0.5)*l.ScaleX - 0.5 // in pixels of level 0
			if want := 8 * (float64(m.Image.X0) + center); math.Abs(got-want) > 1 {
				t.Errorf("level %d, column %d is %v, want %v", d, x, got, want)
			}
		}
	}
}
