package encoder

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"golang.org/x/image/webp"

	"tileserver/codec/webp/decoder"
)

var formats = []struct {
	name   string
	format Format
}{{"gray", Gray}, {"gray alpha", GrayAlpha}, {"RGB", RGB}, {"RGBA", RGBA}, {"paletted", Paletted}}

var sizes = []image.Point{{1, 1}, {1, 17}, {17, 1}, {300, 7}, {37, 21}, {64, 64}, {257, 255}}

// gradients returns a smooth image. If the format has alpha, it is fully transparent in one corner
// and partly in a strip. In a palette, half of the colors are translucent.
func gradients(format Format, width, height, padding int) *Image {
	bytesPerPixel := format.BytesPerPixel()
	img := &Image{Format: format, Width: width, Height: height, Stride: width*bytesPerPixel + padding}
	img.Pix = make([]byte, img.Stride*height-padding)
	for y := range height {
		row := img.Row(y)
		for x := range width {
			pixel := row[x*bytesPerPixel:][:bytesPerPixel]
			for i := range pixel {
				pixel[i] = uint8(60 + x/2 + y + 20*i)
			}
			if format != GrayAlpha && format != RGBA {
				continue
			}
			pixel[bytesPerPixel-1] = 255
			switch {
			case x < width/4 && y < height/2:
				clear(pixel)
			case x < width/2:
				pixel[bytesPerPixel-1] = uint8(3 + 5*x)
			}
		}
	}
	if format == Paletted {
		for i := range 256 {
			img.Palette = append(img.Palette, [4]uint8{uint8(i), uint8(i / 2), uint8(255 - i), uint8(min(2*i, 255))})
		}
	}
	return img
}

// samplesOf returns a pixel of an image as RGBA.
func samplesOf(img *Image, x, y int) [4]uint8 {
	p := img.Row(y)[x*img.Format.BytesPerPixel():]
	switch img.Format {
	case Gray:
		return [4]uint8{p[0], p[0], p[0], 255}
	case GrayAlpha:
		return [4]uint8{p[0], p[0], p[0], p[1]}
	case RGB:
		return [4]uint8{p[0], p[1], p[2], 255}
	case RGBA:
		return [4]uint8(p)
	}
	return img.Palette[p[0]]
}

func encode(t *testing.T, e *Encoder, img *Image, o Options) []byte {
	t.Helper()
	file, err := e.Encode([]byte("before"), img, o)
	if err != nil {
		t.Fatal(err)
	}
	file, ok := bytes.CutPrefix(file, []byte("before"))
	if !ok {
		t.Fatal("it does not append")
	}
	if size := binary.LittleEndian.Uint32(file[4:]); int(size)+8 != len(file) || size%2 != 0 {
		t.Fatalf("the header says %d bytes of a file of %d", size, len(file))
	}
	return file
}

// decodeBoth decodes a file with golang.org/x/image and with our decoder.
func decodeBoth(t *testing.T, file []byte, width, height int) (image.Image, []byte) {
	t.Helper()
	picture, err := webp.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("x/image rejects it: %v", err)
	}
	if got, want := picture.Bounds(), image.Rect(0, 0, width, height); got != want {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	samples := make([]byte, 4*width*height)
	var d decoder.Decoder
	if err := d.Decode(samples, file, width, height, 4); err != nil {
		t.Fatalf("our decoder rejects it: %v", err)
	}
	return picture, samples
}

func TestLosslessKeepsEverySample(t *testing.T) {
	var e Encoder
	for _, format := range formats {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%v", format.name, size), func(t *testing.T) {
				img := gradients(format.format, size.X, size.Y, 3)
				checkLossless(t, img, encode(t, &e, img, Options{Lossless: true}))
			})
		}
	}
}

func checkLossless(t *testing.T, img *Image, file []byte) {
	t.Helper()
	picture, samples := decodeBoth(t, file, img.Width, img.Height)
	for y := range img.Height {
		for x := range img.Width {
			want := samplesOf(img, x, y)
			got := picture.At(x, y).(color.NRGBA)
			ours := [4]uint8(samples[4*(y*img.Width+x):])
			if got != (color.NRGBA{want[0], want[1], want[2], want[3]}) || ours != want {
				t.Fatalf("pixel %d, %d is %v to x/image and %v to ours, want %v", x, y, got, ours, want)
			}
		}
	}
}

func TestLossyColorsAndAlpha(t *testing.T) {
	var e Encoder
	for _, format := range formats {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%v", format.name, size), func(t *testing.T) {
				img := gradients(format.format, size.X, size.Y, 3)
				checkLossy(t, img, encode(t, &e, img, Options{Quality: 95}), 4)
			})
		}
	}
}

// checkLossy compares alpha exactly, and the mean difference of colors weighted by their alpha.
func checkLossy(t *testing.T, img *Image, file []byte, tolerance float64) {
	t.Helper()
	picture, samples := decodeBoth(t, file, img.Width, img.Height)
	var off float64
	for y := range img.Height {
		for x := range img.Width {
			want := samplesOf(img, x, y)
			got := samples[4*(y*img.Width+x):][:4]
			if _, _, _, alpha := picture.At(x, y).RGBA(); uint8(alpha>>8) != want[3] || got[3] != want[3] {
				t.Fatalf("the alpha of pixel %d, %d is %d to x/image and %d to ours, want %d", x, y, alpha>>8, got[3], want[3])
			}
			for i := range 3 {
				off += math.Abs(float64(got[i])-float64(want[i])) * float64(want[3]) / 255
			}
		}
	}
	if off /= float64(3 * img.Width * img.Height); off > tolerance {
		t.Errorf("off by %v", off)
	}
}

// chunksOf returns the names of the chunks of a file.
func chunksOf(file []byte) (names []string) {
	for at := 12; at < len(file); {
		names = append(names, string(file[at:at+4]))
		size := int(binary.LittleEndian.Uint32(file[at+4:]))
		at += 8 + size + size%2
	}
	return names
}

func TestChunks(t *testing.T) {
	opaque := func(format Format) *Image {
		img := gradients(format, 20, 30, 0)
		for i := img.Format.BytesPerPixel() - 1; i < len(img.Pix); i += img.Format.BytesPerPixel() {
			img.Pix[i] = 255
		}
		return img
	}
	tests := []struct {
		name     string
		img      *Image
		lossless bool
		want     []string
	}{
		{"gray", gradients(Gray, 20, 30, 0), false, []string{"VP8 "}},
		{"RGB", gradients(RGB, 20, 30, 0), false, []string{"VP8 "}},
		{"RGBA", gradients(RGBA, 20, 30, 0), false, []string{"VP8X", "ALPH", "VP8 "}},
		{"opaque RGBA", opaque(RGBA), false, []string{"VP8 "}},
		{"gray alpha", gradients(GrayAlpha, 20, 30, 0), false, []string{"VP8X", "ALPH", "VP8 "}},
		{"opaque gray alpha", opaque(GrayAlpha), false, []string{"VP8 "}},
		{"paletted", gradients(Paletted, 20, 30, 0), false, []string{"VP8X", "ALPH", "VP8 "}},
		{"paletted with opaque indices", opaque(Paletted), false, []string{"VP8 "}},
		{"lossless RGBA", gradients(RGBA, 20, 30, 0), true, []string{"VP8L"}},
	}
	for _, test := range tests {
		var e Encoder
		file := encode(t, &e, test.img, Options{Lossless: test.lossless})
		if got := chunksOf(file); !slices.Equal(got, test.want) {
			t.Errorf("%s: got the chunks %q, want %q", test.name, got, test.want)
		}
	}
}

func TestQuality(t *testing.T) {
	img := gradients(RGB, 256, 256, 0)
	for i := range img.Pix {
		img.Pix[i] += uint8(i * i >> 7 & 31)
	}
	var e Encoder
	low, usual := encode(t, &e, img, Options{Quality: 20}), encode(t, &e, img, Options{Quality: DefaultQuality})
	if high := encode(t, &e, img, Options{Quality: 98}); len(low) >= len(usual) || len(usual) >= len(high) {
		t.Errorf("%d, %d, %d bytes at rising quality", len(low), len(usual), len(high))
	}
	if !bytes.Equal(encode(t, &e, img, Options{}), usual) {
		t.Error("no quality is not the default quality")
	}
}

func TestSameBytesAgain(t *testing.T) {
	var used Encoder
	for range 2 {
		for _, format := range formats {
			for _, o := range []Options{{}, {Lossless: true}} {
				var fresh Encoder
				img := gradients(format.format, 90, 70, 1)
				if !bytes.Equal(encode(t, &used, img, o), encode(t, &fresh, img, o)) {
					t.Errorf("%s: a used encoder gives other bytes than a new one", format.name)
				}
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, format := range formats {
		for _, o := range []Options{{}, {Lossless: true}} {
			img := gradients(format.format, 200, 100, 0)
			var e Encoder
			file, err := e.Encode(nil, img, o)
			if err != nil {
				t.Fatal(err)
			}
			allocations := testing.AllocsPerRun(5, func() { file, err = e.Encode(file[:0], img, o) })
			if err != nil || allocations != 0 {
				t.Errorf("%s, %+v: %v allocations, error %v", format.name, o, allocations, err)
			}
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, format := range formats {
		for _, o := range []Options{{}, {Lossless: true}} {
			img := gradients(format.format, 256, 256, 0)
			b.Run(fmt.Sprintf("%s/lossless=%v", format.name, o.Lossless), func(b *testing.B) {
				var e Encoder
				var file []byte
				b.SetBytes(int64(len(img.Pix)))
				b.ReportAllocs()
				for b.Loop() {
					var err error
					if file, err = e.Encode(file[:0], img, o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(file)), "bytes/tile")
			})
		}
	}
}
