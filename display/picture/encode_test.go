package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"slices"
	"sync"
	"testing"

	"golang.org/x/image/webp"

	"tileserver/raster"
)

// gradientPicture returns a picture of smooth gradients. Its last columns are transparent if the
// format can store that.
func gradientPicture(format PixelFormat, width, height int) *Picture {
	p := new(Picture)
	p.Reshape(width, height, format)
	p.Palette = new([256]raster.RGBA)
	for i := range p.Palette {
		p.Palette[i] = raster.RGBA{R: uint8(i), G: uint8(255 - i/2), B: uint8(3 * i / 4), A: 255}
	}
	size := format.BytesPerPixel()
	for y := range height {
		for x := range width {
			pixel := p.Pix[y*p.Stride+x*size:][:size]
			for i := range pixel {
				pixel[i] = uint8(60 + 2*x + y + 20*i)
			}
			if format != GrayAlpha && format != RGBA {
				continue
			}
			pixel[size-1] = 255
			if x >= width-8 {
				clear(pixel)
			}
		}
	}
	return p
}

// pixelAt returns a pixel in the form of image.NRGBA.
func pixelAt(p *Picture, x, y int) [4]uint8 {
	pixels := make([]uint8, 4*p.Width*p.Height)
	Expand(pixels, p)
	return [4]uint8(pixels[4*(y*p.Width+x):])
}

func decode(t *testing.T, f FileFormat, file []byte) image.Image {
	t.Helper()
	decoders := map[FileFormat]func(*bytes.Reader) (image.Image, error){
		PNG:  func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) },
		JPEG: func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) },
		WebP: func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) },
	}
	img, err := decoders[f](bytes.NewReader(file))
	if err != nil {
		t.Fatalf("%v: %v", f, err)
	}
	return img
}

// meanError returns the mean difference between a decoded image and a picture, both over white. It
// also compares opacity.
func meanError(t *testing.T, f FileFormat, img image.Image, p *Picture) float64 {
	t.Helper()
	if img.Bounds().Dx() != p.Width || img.Bounds().Dy() != p.Height {
		t.Fatalf("got %v, want %dx%d", img.Bounds(), p.Width, p.Height)
	}
	var sum float64
	for y := range p.Height {
		for x := range p.Width {
			want := pixelAt(p, x, y)
			red, green, blue, alpha := colorAt(f, img, x, y)
			for i, got := range []float64{red, green, blue} {
				seen := float64(want[i])*float64(want[3])/255 + 255 - float64(want[3])
				sum += math.Abs(got*alpha/255 + 255 - alpha - seen)
			}
		}
	}
	return sum / float64(3*p.Width*p.Height)
}

// webpColorAt returns a pixel that is not premultiplied. VP8 limits luma to 16 to 235 and chroma to
// 16 to 240, but x/image/webp returns image.YCbCr, which assumes 0 to 255.
func webpColorAt(img image.Image, x, y int) (red, green, blue, alpha float64) {
	alpha = 255
	var planes *image.YCbCr
	switch img := img.(type) {
	case *image.YCbCr:
		planes = img
	case *image.NYCbCrA:
		planes, alpha = &img.YCbCr, float64(img.A[img.AOffset(x, y)])
	}
	luma := 255.0 / 219 * (float64(planes.Y[planes.YOffset(x, y)]) - 16)
	cb := 255.0 / 224 * (float64(planes.Cb[planes.COffset(x, y)]) - 128)
	cr := 255.0 / 224 * (float64(planes.Cr[planes.COffset(x, y)]) - 128)
	cut := func(v float64) float64 { return min(max(v, 0), 255) }
	return cut(luma + 1.402*cr), cut(luma - 0.344*cb - 0.714*cr), cut(luma + 1.772*cb), alpha
}

// colorAt returns a pixel that is not premultiplied.
func colorAt(f FileFormat, img image.Image, x, y int) (red, green, blue, alpha float64) {
	if f == WebP {
		return webpColorAt(img, x, y)
	}
	c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	return float64(c.R), float64(c.G), float64(c.B), float64(c.A)
}

func TestEncodedPicturesDecode(t *testing.T) {
	tolerances := map[FileFormat]float64{PNG: 0.01, JPEG: 4, WebP: 4}
	var e Encoder
	for format := Gray; format <= Paletted; format++ {
		for f, tolerance := range tolerances {
			p := gradientPicture(format, 43, 29)
			if err := p.Crop(3, 2, 40, 24); err != nil {
				t.Fatal(err)
			}
			file, err := e.Encode([]byte("before"), p, f, Options{Quality: 90})
			if err != nil {
				t.Fatal(err)
			}
			file, ok := bytes.CutPrefix(file, []byte("before"))
			if !ok {
				t.Fatalf("%v does not append", f)
			}
			img := decode(t, f, file)
			if off := meanError(t, f, img, p); off > tolerance {
				t.Errorf("format %d as %v is off by %v", format, f, off)
			}
			_, _, _, alpha := img.At(39, 12).RGBA()
			transparent := f != JPEG && (format == GrayAlpha || format == RGBA)
			if (alpha == 0) != transparent {
				t.Errorf("format %d as %v: got the opacity %d in the transparent part", format, f, alpha)
			}
		}
	}
}

func TestBackground(t *testing.T) {
	p := new(Picture)
	p.Reshape(16, 16, RGBA)
	for i := range 256 {
		copy(p.Pix[4*i:], []uint8{200, 100, 0, 51})
	}
	var e Encoder
	for _, test := range []struct {
		background raster.RGBA
		want       [3]int
	}{
		{raster.RGBA{}, [3]int{244, 224, 204}},
		{raster.RGBA{R: 0, G: 0, B: 100, A: 255}, [3]int{40, 20, 80}},
		{raster.RGBA{A: 255}, [3]int{40, 20, 0}},
	} {
		file, err := e.Encode(nil, p, JPEG, Options{Quality: 100, Background: test.background})
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := decode(t, JPEG, file).At(8, 8).RGBA()
		for i, got := range []uint32{r, g, b} {
			if math.Abs(float64(got>>8)-float64(test.want[i])) > 3 {
				t.Errorf("on %v: got %d, %d, %d, want %v", test.background, r>>8, g>>8, b>>8, test.want)
				break
			}
		}
	}
}

func TestOverIsExact(t *testing.T) {
	for color := range 256 {
		for opacity := range 256 {
			for _, behind := range []int{0, 1, 77, 254, 255} {
				want := math.Round(float64(color*opacity+behind*(255-opacity)) / 255)
				if got := blendOver(uint8(color), uint8(behind), uint8(opacity)); float64(got) != want {
					t.Fatalf("%d over %d at %d: got %d, want %v", color, behind, opacity, got, want)
				}
			}
		}
	}
}

func TestBlank(t *testing.T) {
	var e Encoder
	for _, f := range []FileFormat{PNG, JPEG, WebP} {
		file, err := e.Blank(f, 30, 20, Options{})
		if err != nil {
			t.Fatal(err)
		}
		img := decode(t, f, file)
		r, _, _, a := img.At(29, 19).RGBA()
		if img.Bounds() != image.Rect(0, 0, 30, 20) || (a == 0) != (f != JPEG) || a != 0 && r>>8 < 254 {
			t.Errorf("%v: got %v, red %d, opacity %d", f, img.Bounds(), r, a)
		}
	}
	for _, size := range [][2]int{{0, 1}, {1, 0}, {-1, 5}, {math.MaxInt, 2}, {1 << 14, 1 << 14}} {
		if _, err := e.Blank(PNG, size[0], size[1], Options{}); !errors.Is(err, ErrPicture) {
			t.Errorf("%v: got the error %v, want %v", size, err, ErrPicture)
		}
	}
}

func TestEncodeRejects(t *testing.T) {
	var e Encoder
	p := gradientPicture(RGB, 8, 8)
	tests := []struct {
		name string
		p    *Picture
		f    FileFormat
		o    Options
		want error
	}{
		{"quality", p, JPEG, Options{Quality: 101}, ErrOptions},
		{"negative quality", p, PNG, Options{Quality: -1}, ErrOptions},
		{"format", p, 9, Options{}, ErrUnknownFormat},
		{"pixel format", &Picture{Width: 1, Height: 1, Stride: 1, Format: 9, Pix: make([]uint8, 1)}, PNG, Options{}, ErrPicture},
		{"no palette", &Picture{Width: 1, Height: 1, Stride: 1, Format: Paletted, Pix: make([]uint8, 1)}, WebP, Options{}, ErrPicture},
		{"no pixels", &Picture{}, WebP, Options{}, ErrPicture},
		{"too few bytes", &Picture{Width: 4, Height: 3, Stride: 5, Pix: make([]uint8, 13)}, WebP, Options{}, ErrPicture},
		{"overlapping rows", &Picture{Width: 4, Height: 3, Stride: 3, Pix: make([]uint8, 99)}, JPEG, Options{}, ErrPicture},
	}
	for _, test := range tests {
		got, err := e.Encode([]byte("as before"), test.p, test.f, test.o)
		if !errors.Is(err, test.want) || string(got) != "as before" {
			t.Errorf("%s: got %q and the error %v", test.name, got, err)
		}
	}
}

func TestFormats(t *testing.T) {
	for f, want := range map[FileFormat][2]string{PNG: {"png", "image/png"}, JPEG: {"jpg", "image/jpeg"}, WebP: {"webp", "image/webp"}} {
		if got := [2]string{f.Extension(), f.MIME()}; got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestConcurrentEncoding(t *testing.T) {
	var e Encoder
	p := gradientPicture(RGBA, 33, 17)
	for _, f := range []FileFormat{PNG, JPEG} {
		want, err := e.Encode(nil, p, f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for range 10 {
					if got, err := e.Encode(nil, p, f, Options{}); err != nil || !slices.Equal(got, want) {
						t.Errorf("%v: a different file, or the error %v", f, err)
					}
				}
			})
		}
		wait.Wait()
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, f := range []FileFormat{PNG, JPEG, WebP} {
		for _, format := range []PixelFormat{RGB, RGBA} {
			b.Run(f.String()+map[PixelFormat]string{RGB: " RGB", RGBA: " RGBA"}[format], func(b *testing.B) {
				var e Encoder
				var file []byte
				p := gradientPicture(format, 256, 256)
				b.SetBytes(int64(len(p.Pix)))
				b.ReportAllocs()
				if _, err := e.Encode(nil, p, f, Options{}); err != nil { // allocates the reusable memory
					b.Fatal(err)
				}
				for b.Loop() {
					var err error
					if file, err = e.Encode(file[:0], p, f, Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(file)), "bytes/tile")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(256*256), "ns/pixel")
			})
		}
	}
}
