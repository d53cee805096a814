package display

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"tileserver/display/picture"
	"tileserver/raster"
)

var allTypes = []raster.DataType{
	raster.Uint8, raster.Int8, raster.Uint16, raster.Int16, raster.Uint32, raster.Int32, raster.Uint64, raster.Int64, raster.Float32, raster.Float64,
}

// tileOf returns a tile with one row per band.
func tileOf(t raster.DataType, bands ...[]float64) *raster.Buffer {
	b := raster.NewBuffer(t, len(bands[0]), 1, len(bands))
	for band, samples := range bands {
		for i, v := range samples {
			setSample(b, band, i, v)
		}
	}
	return b
}

func mustRender(t *testing.T, c *Chain, tile raster.Tile) *picture.Picture {
	t.Helper()
	p, err := c.Render(tile, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantPicture(t *testing.T, p *picture.Picture, format picture.PixelFormat, pix ...uint8) {
	t.Helper()
	if p.Format != format || !slices.Equal(p.Pix, pix) {
		t.Errorf("got the format %d and the pixels %v, want %d and %v", p.Format, p.Pix, format, pix)
	}
	if p.Stride != p.Width*format.BytesPerPixel() || len(p.Pix) != p.Stride*p.Height {
		t.Errorf("%dx%d pixels in %d bytes, a row every %d", p.Width, p.Height, len(p.Pix), p.Stride)
	}
}

func TestEveryTypeStretchesAlike(t *testing.T) {
	// 10 is black and 90 is white. 50 is half of 255, rounded up. 26 is a fifth of the range. 10.15
	// and 10.16 lie on both sides of half a gray.
	samples := []float64{0, 9, 10, 11, 26, 50, 89, 90, 91, 120}
	want := []uint8{0, 0, 0, 3, 51, 128, 252, 255, 255, 255}
	for _, dataType := range allTypes {
		t.Run(dataType.String(), func(t *testing.T) {
			tile := tileOf(dataType, samples).Freeze()
			gray := chainOf(t, Spec{Rescale: []Range{{10, 90}}}, infoOf(dataType, 1))
			wantPicture(t, mustRender(t, gray, tile), picture.Gray, want...)

			color := chainOf(t, Spec{Rescale: []Range{{10, 90}}}, infoOf(dataType, 3))
			same := selectBands(t, tile, []int{0, 0, 0})
			var pixels []uint8
			for _, v := range want {
				pixels = append(pixels, v, v, v)
			}
			wantPicture(t, mustRender(t, color, same), picture.RGB, pixels...)
		})
	}
}

func TestSignedAndFractionalSamples(t *testing.T) {
	tests := []struct {
		name    string
		t       raster.DataType
		r       Range
		samples []float64
		want    []uint8
	}{
		{"int8", raster.Int8, Range{-128, 127}, []float64{-128, -127, -1, 0, 127}, []uint8{0, 1, 127, 128, 255}},
		{"int16", raster.Int16, Range{-1000, 1000}, []float64{-32768, -1000, 0, 996, 32767}, []uint8{0, 0, 128, 254, 255}},
		{"uint16 past the range", raster.Uint16, Range{-100, 155}, []float64{0, 155, 65535}, []uint8{100, 255, 255}},
		{"int32", raster.Int32, Range{-2e9, 2e9}, []float64{-2147483648, 0, 2147483647}, []uint8{0, 128, 255}},
		{"int64", raster.Int64, Range{-9e18, 9e18}, []float64{-9.2e18, 0, 9.2e18}, []uint8{0, 128, 255}},
		{"uint64", raster.Uint64, Range{0, 18e18}, []float64{0, 9e18, 1.8446744073709552e19}, []uint8{0, 128, 255}},
		{"float32", raster.Float32, Range{0, 1}, []float64{-inf, -1e38, -0.25, 0.00196, 0.00197, 0.5, 0.99803, 0.99805, 1, 1e38, inf, nan},
			[]uint8{0, 0, 0, 0, 1, 128, 254, 255, 255, 255, 255, 0}},
		{"float64", raster.Float64, Range{1e9, 1e9 + 255}, []float64{1e9 - 1, 1e9 + 7.49, 1e9 + 7.51, 1e300, -1e300, nan}, []uint8{0, 7, 8, 255, 0, 0}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := chainOf(t, Spec{Rescale: []Range{test.r}}, infoOf(test.t, 1))
			wantPicture(t, mustRender(t, c, tileOf(test.t, test.samples).Freeze()), picture.Gray, test.want...)
		})
	}
}

func TestEightBitSamplesAreUnchanged(t *testing.T) {
	for _, width := range []int{1, 2, 3, 4, 5, 7, 8, 9, 64, 67} {
		b := raster.NewBuffer(raster.Uint8, width, 3, 3)
		var want []uint8
		for i := range width * 3 {
			for band := range 3 {
				v := uint8(i*7 + band*85)
				b.Plane(band)[i] = v
				want = append(want, v)
			}
		}
		wantPicture(t, mustRender(t, chainOf(t, Spec{}, infoOf(raster.Uint8, 3)), b.Freeze()), picture.RGB, want...)
	}
}

func TestEachBandHasItsOwnRange(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Int16, raster.Int32} {
		c := chainOf(t, Spec{Rescale: []Range{{0, 100}, {100, 200}, {0, 255}}}, infoOf(dataType, 3))
		tile := tileOf(dataType, []float64{20, 100}, []float64{120, 100}, []float64{20, 100}).Freeze()
		wantPicture(t, mustRender(t, c, tile), picture.RGB, 51, 51, 20, 255, 0, 100)
	}
}

func TestCoverageBecomesOpacity(t *testing.T) {
	coverage := []uint8{255, 128, 1, 0}
	gray := tileOf(raster.Uint8, []float64{9, 8, 7, 66})
	gray.SetValidity(coverage)
	wantPicture(t, mustRender(t, chainOf(t, Spec{}, infoOf(raster.Uint8, 1)), gray.Freeze()), picture.GrayAlpha, 9, 255, 8, 128, 7, 1, 0, 0)

	color := tileOf(raster.Uint8, []float64{1, 2, 3, 66}, []float64{4, 5, 6, 66}, []float64{7, 8, 9, 66})
	color.SetValidity(coverage)
	wantPicture(t, mustRender(t, chainOf(t, Spec{}, infoOf(raster.Uint8, 3)), color.Freeze()), picture.RGBA,
		1, 4, 7, 255, 2, 5, 8, 128, 3, 6, 9, 1, 0, 0, 0, 0)
}

func TestBandsWithDifferentCoverage(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Float32} {
		t.Run(dataType.String(), func(t *testing.T) {
			c := chainOf(t, Spec{Rescale: []Range{{0, 255}}}, infoOf(dataType, 3))
			b := tileOf(dataType, []float64{10, 11, 12, 13}, []float64{20, 21, 22, 23}, []float64{30, 31, 32, 33})
			copy(b.OwnValidity(0), []uint8{0, 255, 0, 100})
			copy(b.OwnValidity(1), []uint8{255, 255, 0, 200})
			copy(b.OwnValidity(2), []uint8{255, 0, 0, 0})
			tile := b.Freeze()
			before := slices.Clone(tile.Plane(0))
			wantPicture(t, mustRender(t, c, tile), picture.RGBA, 0, 20, 30, 255, 11, 21, 0, 255, 0, 0, 0, 0, 13, 23, 0, 200)
			if !slices.Equal(before, tile.Plane(0)) {
				t.Error("the tile was modified")
			}

			b = tileOf(dataType, []float64{10, 11}, []float64{20, 21}, []float64{30, 31})
			copy(b.OwnValidity(1), []uint8{255, 0})
			wantPicture(t, mustRender(t, c, b.Freeze()), picture.RGB, 10, 20, 30, 11, 0, 31)
		})
	}
}

func TestPalettes(t *testing.T) {
	palette := []raster.RGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 200, A: 100}, {R: 9, G: 9, B: 9}}
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16} {
		t.Run(dataType.String(), func(t *testing.T) {
			info := dataset(dataType, "p")
			info.Palette = palette
			c := chainOf(t, Spec{}, info)
			// A transparent entry has no color, and entry 200 does not exist.
			samples, want := []float64{1, 0, 2, 3, 200}, []uint8{0, 255, 0, 255, 255, 0, 0, 255, 0, 0, 200, 100, 0, 0, 0, 0, 0, 0, 0, 0}
			if got := pictureOf(t, c, tileOf(dataType, samples).Freeze()); got != string(want) {
				t.Errorf("got %v, want %v", []byte(got), want)
			}
			b := tileOf(dataType, samples)
			b.SetValidity([]uint8{255, 0, 128, 255, 255})
			want = []uint8{0, 255, 0, 255, 0, 0, 0, 0, 0, 0, 200, 50, 0, 0, 0, 0, 0, 0, 0, 0}
			wantPicture(t, mustRender(t, c, b.Freeze()), picture.RGBA, want...)
		})
	}
}

func TestColorMapsOfSamples(t *testing.T) {
	c := chainOf(t, Spec{Rescale: []Range{{0, 10}}, ColorMap: "blues_r"}, infoOf(raster.Float32, 1))
	p := mustRender(t, c, tileOf(raster.Float32, []float64{-1, 10}).Freeze())
	wantPicture(t, p, picture.Paletted, 0, 255)
	if got, want := p.Palette[0], (raster.RGBA{R: 0x08, G: 0x30, B: 0x6b, A: 255}); got != want {
		t.Errorf("got black as %v, want %v", got, want)
	}
	b := tileOf(raster.Float32, []float64{-1, 10})
	b.SetValidity([]uint8{0, 77})
	wantPicture(t, mustRender(t, c, b.Freeze()), picture.RGBA, 0, 0, 0, 0, 0xf7, 0xfb, 0xff, 77)
}

func TestRenderRejectsMismatchedTiles(t *testing.T) {
	c := chainOf(t, Spec{}, infoOf(raster.Uint8, 3))
	for name, tile := range map[string]raster.Tile{
		"nothing":       {},
		"too few bands": raster.NewBuffer(raster.Uint8, 2, 2, 1).Freeze(),
		"another type":  raster.NewBuffer(raster.Uint16, 2, 2, 3).Freeze(),
		"no pixels":     raster.NewBuffer(raster.Uint8, 0, 2, 3).Freeze(),
	} {
		if _, err := c.Render(tile, nil); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: got the error %v, want %v", name, err, ErrMismatch)
		}
	}
}

func TestConcurrentRendering(t *testing.T) {
	tile := noise(raster.Uint16, 50, 3)
	copy(tile.OwnValidity(2), noise(raster.Uint8, 50, 1).Plane(0))
	frozen := tile.Freeze()
	c := chainOf(t, Spec{Rescale: []Range{{0, 60000}}}, infoOf(raster.Uint16, 3))
	want := pictureOf(t, c, frozen)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				if pictureOf(t, c, frozen) != want {
					t.Error("the picture differs")
				}
			}
		})
	}
	wait.Wait()
}

func TestInvertedGray(t *testing.T) {
	for _, dataType := range allTypes {
		info := dataset(dataType, "w-")
		info.Inverted = true
		tile := tileOf(dataType, []float64{0, 20, 100, 101}).Freeze()
		tests := []struct {
			name string
			spec Spec
			want []uint8
		}{
			{"gray", Spec{Bands: []int{0}, Rescale: []Range{{0, 100}}}, []uint8{255, 204, 0, 0}},
			{"another band", Spec{Bands: []int{1}, Rescale: []Range{{0, 100}}}, []uint8{0, 51, 255, 255}},
			{"colors", Spec{Bands: []int{0}, Rescale: []Range{{0, 100}}, ColorMap: "magma"}, []uint8{0, 51, 255, 255}},
			{"as stored", Spec{Stretch: Stretch{Kind: NoStretch}}, []uint8{255, 235, 155, 154}},
		}
		for _, test := range tests {
			if p := mustRender(t, chainOf(t, test.spec, info), tile); !slices.Equal(p.Pix, test.want) {
				t.Errorf("%v, %s: got %v, want %v", dataType, test.name, p.Pix, test.want)
			}
		}
	}
}
