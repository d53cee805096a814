package encoder

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	stdjpeg "image/jpeg"
	"math"
	"testing"
)

func encode(t *testing.T, img *Image, options Options) []byte {
	t.Helper()
	var encoder Encoder
	out, err := encoder.Encode(nil, img, options)
	if err != nil {
		t.Fatalf("Encode: %v", err)
	}
	return out
}

func decode(t *testing.T, file []byte) image.Image {
	t.Helper()
	picture, err := stdjpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/jpeg rejects the file: %v", err)
	}
	return picture
}

func TestQualityAndSizeAgainstStandardLibrary(t *testing.T) {
	contents := []struct {
		name string
		img  *Image
	}{
		{"photo", packed(RGB, 256, 192, photograph(256, 192, 3, 5))},
		{"gray photo", packed(Gray, 192, 256, photograph(192, 256, 1, 6))},
		{"noise", packed(RGB, 64, 80, noise(64*80*3, 7))},
	}
	for _, content := range contents {
		for _, quality := range []int{1, 10, 50, 75, 90, 100} {
			t.Run(fmt.Sprintf("%s/%d", content.name, quality), func(t *testing.T) {
				source := standardImage(content.img)
				var want bytes.Buffer
				if err := stdjpeg.Encode(&want, source, &stdjpeg.Options{Quality: quality}); err != nil {
					t.Fatal(err)
				}
				got := encode(t, content.img, Options{Quality: quality})
				gotPSNR, wantPSNR := psnr(decode(t, got), source), psnr(decode(t, want.Bytes()), source)
				if gotPSNR < wantPSNR-0.2 {
					t.Errorf("PSNR %.2f dB, image/jpeg %.2f", gotPSNR, wantPSNR)
				}
				if float64(len(got)) > 1.03*float64(want.Len()) {
					t.Errorf("%d bytes, image/jpeg %d", len(got), want.Len())
				}
			})
		}
	}
}

func TestSizesAndStrides(t *testing.T) {
	sizes := [][2]int{{1, 1}, {3, 7}, {8, 8}, {9, 16}, {16, 16}, {17, 15}, {257, 1}, {1, 65}, {256, 255}}
	kinds := []struct {
		name    string
		format  Format
		options Options
		want    image.YCbCrSubsampleRatio
	}{
		{"4:2:0", RGB, Options{Quality: 95}, image.YCbCrSubsampleRatio420},
		{"4:4:4", RGB, Options{Quality: 95, Subsampling: Chroma444}, image.YCbCrSubsampleRatio444},
		{"gray", Gray, Options{Quality: 95}, -1},
	}
	for _, kind := range kinds {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", kind.name, size[0], size[1]), func(t *testing.T) {
				width, height := size[0], size[1]
				img := smooth(kind.format, width, height, 5)
				picture := decode(t, encode(t, img, kind.options))
				if got, want := picture.Bounds(), image.Rect(0, 0, width, height); got != want {
					t.Fatalf("bounds %v, want %v", got, want)
				}
				if colors, ok := picture.(*image.YCbCr); ok != (kind.format == RGB) || ok && colors.SubsampleRatio != kind.want {
					t.Errorf("decoded as %T, want %s", picture, kind.name)
				}
				if got := psnr(picture, standardImage(img)); got < 38 {
					t.Errorf("PSNR %.1f dB", got)
				}
			})
		}
	}
}

// smooth returns an image without detail, with padding bytes after each row that must not be
// encoded.
func smooth(format Format, width, height, padding int) *Image {
	bytesPerPixel := format.bytesPerPixel()
	stride := width*bytesPerPixel + padding
	pix := noise(stride*height, 9)
	for y := range height {
		for x := range width {
			pixel := pix[y*stride+x*bytesPerPixel:][:bytesPerPixel]
			for channel := range pixel {
				pixel[channel] = byte(128 + 60*math.Sin(float64(x+2*y+20*channel)/40))
			}
		}
	}
	return &Image{Format: format, Width: width, Height: height, Stride: stride, Pix: pix[:len(pix)-padding]}
}

// TestExtremeBlocks encodes blocks of black and white in the pattern of a basis function, which
// have the largest coefficients.
func TestExtremeBlocks(t *testing.T) {
	const blocks = 65 // every basis function, then all white after all black
	img := packed(Gray, 8*blocks, 8, make([]byte, 8*8*blocks))
	for v := range 8 {
		for u := range 8 {
			for y := range 8 {
				for x := range 8 {
					wave := math.Cos(float64((2*x+1)*u)*math.Pi/16) * math.Cos(float64((2*y+1)*v)*math.Pi/16)
					if wave < 0 {
						img.Pix[y*img.Stride+8*(8*v+u)+x] = 255
					}
				}
			}
		}
	}
	for y := range 8 {
		for x := range 8 {
			img.Pix[y*img.Stride+8*64+x] = 255
		}
	}
	picture := decode(t, encode(t, img, Options{Quality: 100}))
	if got := psnr(picture, standardImage(img)); got < 50 {
		t.Errorf("PSNR %.1f dB", got)
	}
}

func TestPureColors(t *testing.T) {
	for _, color := range [][3]byte{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}, {0, 0, 0}, {255, 255, 255}} {
		t.Run(fmt.Sprint(color), func(t *testing.T) {
			img := packed(RGB, 16, 16, bytes.Repeat(color[:], 16*16))
			for _, subsampling := range []Subsampling{Chroma420, Chroma444} {
				picture := decode(t, encode(t, img, Options{Quality: 100, Subsampling: subsampling}))
				if got := psnr(picture, standardImage(img)); got < 45 {
					t.Errorf("subsampling %d: PSNR %.1f dB", subsampling, got)
				}
			}
		})
	}
}

func TestSameBytesAgain(t *testing.T) {
	img := packed(RGB, 100, 60, photograph(100, 60, 3, 4))
	other := packed(Gray, 33, 20, noise(33*20, 4))
	want := encode(t, img, Options{})
	var encoder Encoder
	for range 2 {
		if _, err := encoder.Encode(nil, other, Options{Quality: 31}); err != nil {
			t.Fatal(err)
		}
		got, err := encoder.Encode([]byte("before"), img, Options{Quality: DefaultQuality})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, append([]byte("before"), want...)) {
			t.Error("a used encoder gives other bytes than a new one")
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, tile := range tiles {
		t.Run(tile.name, func(t *testing.T) {
			var encoder Encoder
			out, err := encoder.Encode(nil, tile.img, tile.options)
			if err != nil {
				t.Fatal(err)
			}
			allocations := testing.AllocsPerRun(5, func() { out, err = encoder.Encode(out[:0], tile.img, tile.options) })
			if err != nil || allocations != 0 {
				t.Errorf("%v allocations, error %v", allocations, err)
			}
		})
	}
}

func TestInvalid(t *testing.T) {
	pix := make([]byte, 3*4*5)
	tests := []struct {
		name    string
		img     Image
		options Options
		want    error
	}{
		{"format", Image{Format: 2, Width: 4, Height: 5, Stride: 12, Pix: pix}, Options{}, ErrImage},
		{"no width", Image{Width: 0, Height: 5, Stride: 12, Pix: pix}, Options{}, ErrImage},
		{"negative height", Image{Width: 4, Height: -5, Stride: 12, Pix: pix}, Options{}, ErrImage},
		{"too wide", Image{Format: Gray, Width: MaxSide + 1, Height: 1, Pix: make([]byte, MaxSide+1)}, Options{}, ErrImage},
		{"short", Image{Width: 4, Height: 5, Stride: 12, Pix: pix[:59]}, Options{}, ErrImage},
		{"no pixels", Image{Width: 4, Height: 5, Stride: 12}, Options{}, ErrImage},
		{"narrow stride", Image{Width: 4, Height: 5, Stride: 11, Pix: pix}, Options{}, ErrImage},
		{"negative stride", Image{Width: 4, Height: 5, Stride: -12, Pix: pix}, Options{}, ErrImage},
		{"huge stride", Image{Width: 4, Height: 5, Stride: math.MaxInt, Pix: pix}, Options{}, ErrImage},
		{"quality 101", Image{Width: 4, Height: 5, Stride: 12, Pix: pix}, Options{Quality: 101}, ErrOptions},
		{"quality -1", Image{Width: 4, Height: 5, Stride: 12, Pix: pix}, Options{Quality: -1}, ErrOptions},
		{"subsampling", Image{Width: 4, Height: 5, Stride: 12, Pix: pix}, Options{Subsampling: 2}, ErrOptions},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var encoder Encoder
			got, err := encoder.Encode([]byte("kept"), &test.img, test.options)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if string(got) != "kept" {
				t.Errorf("returned %q, want what was given", got)
			}
		})
	}
}
