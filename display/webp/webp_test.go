package webp

import (
	"bytes"
	"errors"
	"image"
	"math"
	"testing"

	"golang.org/x/image/webp"
)

// tile is gradients with a transparent corner.
func tile(width, height int) []byte {
	pixels := make([]byte, 0, 4*width*height)
	for y := range height {
		for x := range width {
			if x < width/4 && y < height/4 {
				pixels = append(pixels, 0, 0, 0, 0)
				continue
			}
			pixels = append(pixels, uint8(x*2), uint8(y*3), uint8(90+x-y), 255)
		}
	}
	return pixels
}

func TestEncode(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {64, 64}, {37, 21}, {5, 90}} {
		pixels := tile(size.X, size.Y)
		var e Encoder
		file, err := e.Encode([]byte("before"), pixels, size.X, size.Y, 95)
		if err != nil {
			t.Fatal(err)
		}
		file, ok := bytes.CutPrefix(file, []byte("before"))
		if !ok {
			t.Fatal("it does not append")
		}
		img, err := webp.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds().Size() != size {
			t.Fatalf("got %v, want %v", img.Bounds(), size)
		}
		var sum float64
		for i := 0; i < len(pixels); i += 4 {
			want := pixels[i : i+4]
			red, green, blue, alpha := colorAt(img, i/4%size.X, i/4/size.X)
			if alpha != float64(want[3]) {
				t.Fatalf("%v: byte %d: got the opacity %v, want %d", size, i, alpha, want[3])
			}
			sum += alpha / 255 * (math.Abs(red-float64(want[0])) + math.Abs(green-float64(want[1])) + math.Abs(blue-float64(want[2])))
		}
		if off := sum / float64(3*size.X*size.Y); off > 3 {
			t.Errorf("%v: off by %v", size, off)
		}
	}
}

// colorAt is a pixel, not premultiplied. VP8 keeps luma from 16 to 235 and chroma from 16 to
// 240; image.YCbCr, in which x/image/webp returns them, takes all from 0 to 255.
func colorAt(img image.Image, x, y int) (red, green, blue, alpha float64) {
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

func TestEncodeRefuses(t *testing.T) {
	tests := []struct {
		name                          string
		bytes, width, height, quality int
	}{
		{"no width", 0, 0, 4, 75},
		{"negative height", 16, 4, -1, 75},
		{"too wide", 4 * 16384, 16384, 1, 75},
		{"too few bytes", 63, 4, 4, 75},
		{"too many bytes", 65, 4, 4, 75},
		{"quality above 100", 64, 4, 4, 101},
		{"negative quality", 64, 4, 4, -1},
	}
	for _, test := range tests {
		var e Encoder
		got, err := e.Encode([]byte("as before"), make([]byte, test.bytes), test.width, test.height, test.quality)
		if !errors.Is(err, ErrImage) || string(got) != "as before" {
			t.Errorf("%s: got %q and the error %v, want %v", test.name, got, err, ErrImage)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	const side = 256
	pixels := tile(side, side)
	var e Encoder
	var file []byte
	b.SetBytes(int64(len(pixels)))
	b.ReportAllocs()
	if _, err := e.Encode(nil, pixels, side, side, 0); err != nil { // what is made once
		b.Fatal(err)
	}
	for b.Loop() {
		var err error
		if file, err = e.Encode(file[:0], pixels, side, side, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(file)), "bytes/tile")
}
