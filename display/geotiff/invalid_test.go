package geotiff

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestInvalid(t *testing.T) {
	half, infinite, negative, limit := 0.5, math.Inf(1), -1.0, math.Ldexp(1, 64)
	tests := []struct {
		name  string
		spoil func(*Image)
		want  error
	}{
		{"no type", func(img *Image) { img.Type = 0 }, ErrImage},
		{"unknown type", func(img *Image) { img.Type = Complex128 + 1 }, ErrImage},
		{"no width", func(img *Image) { img.Width = 0 }, ErrImage},
		{"negative sides", func(img *Image) { img.Width, img.Height = -7, -5 }, ErrImage},
		{"too wide", func(img *Image) { img.Width = maxSide + 1 }, ErrImage},
		{"no bands", func(img *Image) { img.Bands = nil }, ErrImage},
		{"too many bands", func(img *Image) { img.Bands = make([]Band, maxBands+1) }, ErrImage},
		{"short", func(img *Image) { img.Bands[1].Samples = img.Bands[1].Samples[1:] }, ErrImage},
		{"long", func(img *Image) { img.Height = 4 }, ErrImage},
		{"name with a newline", func(img *Image) { img.Bands[0].Name = "a\nb" }, ErrImage},
		{"unit that is not text", func(img *Image) { img.Bands[0].Unit = "\xff" }, ErrImage},
		{"not for XML", func(img *Image) { img.Bands[0].Name = "\uffff" }, ErrImage},
		{"long text", func(img *Image) { img.Bands[0].Name = strings.Repeat("a", maxTextBytes+1) }, ErrImage},
		{"scale", func(img *Image) { img.Bands[0].Scale = math.NaN() }, ErrImage},
		{"offset", func(img *Image) { img.Bands[0].Offset = infinite }, ErrImage},
		{"coverage", func(img *Image) { img.Coverage = [][]uint8{make([]uint8, 34)} }, ErrImage},
		{"coverages", func(img *Image) { img.Coverage = [][]uint8{nil, nil} }, ErrImage},
		{"nodata half", func(img *Image) { img.NoData = &half }, ErrImage},
		{"nodata negative", func(img *Image) { img.NoData = &negative }, ErrImage},
		{"nodata infinite", func(img *Image) { img.NoData = &infinite }, ErrImage},
		{"nodata 2^64", func(img *Image) { img.NoData = &limit }, ErrImage},
		{"masking", func(img *Image) { img.Masking = MaskImage + 1 }, ErrImage},
		{"alpha of floats", func(img *Image) { img.Type, img.Width, img.Masking = Float32, 14, AlphaBand }, ErrImage},
		{"two bands as colors", func(img *Image) { img.RGB, img.Bands = true, img.Bands[:2] }, ErrImage},
		{"colors of 64 bits", func(img *Image) { img.RGB = true }, ErrImage},
		{"compression", func(img *Image) { img.Compression = Uncompressed + 1 }, ErrImage},
		{"tiles of 24", func(img *Image) { img.TileSide = 24 }, ErrImage},
		{"negative tiles", func(img *Image) { img.TileSide = -16 }, ErrImage},
		{"huge tiles", func(img *Image) { img.TileSide = maxTileSide + 16 }, ErrImage},
		{"negative limit", func(img *Image) { img.MaxBytes = -1 }, ErrImage},
		{"place", func(img *Image) { img.Place = &Place{} }, ErrImage},
		{"singular transform", func(img *Image) { img.Place = &Place{Transform: Affine{1, 2, 0, 2, 4, 0}} }, ErrImage},
		{"infinite transform", func(img *Image) { img.Place = &Place{Transform: Affine{A: 1, E: 1, C: infinite}} }, ErrImage},
		{"code", func(img *Image) { img.Place = &Place{Transform: Affine{A: 1, E: 1}, EPSG: 102100} }, ErrImage},
		{"user-defined code", func(img *Image) { img.Place = &Place{Transform: Affine{A: 1, E: 1}, EPSG: 32767} }, ErrImage},
		{"more than MaxBytes", func(img *Image) { img.MaxBytes = 3*280 - 1 }, ErrTooLarge},
		{"more than MaxBytes in tiles", func(img *Image) { img.MaxBytes, img.TileSide = 3*280, 16 }, ErrTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img := noisyImage(Uint64, 7, 5, 3)
			test.spoil(img)
			var encoder Encoder
			got, err := encoder.Encode([]byte("kept"), img)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if string(got) != "kept" {
				t.Errorf("returned %q, want dst unchanged", got)
			}
		})
	}
}

// Images at the limits are written.
func TestBounds(t *testing.T) {
	img := noisyImage(Uint64, 7, 5, 3)
	img.MaxBytes = 3 * 280
	img.Place = &Place{Transform: Affine{B: 1, D: 1}, EPSG: maxEPSG}
	img.Bands[2].Name = strings.Repeat("&", maxTextBytes)
	checkBands(t, parse(t, encode(t, img)).images[0].planes(t), img, nil)
}

// The choice of BigTIFF depends on the maximum size of the blocks, not on their actual size.
func TestLargeImagesUseBigTIFF(t *testing.T) {
	tests := []struct {
		side int
		want bool
	}{
		{32768, false},
		{65536, true},
	}
	for _, test := range tests {
		img := &Image{Type: Uint8, Width: test.side, Height: test.side, MaxBytes: math.MaxInt64}
		images := []tiffImage{{grid: grid{width: img.Width, height: img.Height, samples: 1, sampleBits: 8, planes: 1}}}
		images[0].cut(0)
		got, err := img.checkSize(images)
		if math.MaxInt == math.MaxInt32 && test.want {
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("%d: error %v, want %v", test.side, err, ErrTooLarge)
			}
			continue
		}
		if err != nil || got != test.want {
			t.Errorf("%d: big %v, error %v, want %v", test.side, got, err, test.want)
		}
	}
}
