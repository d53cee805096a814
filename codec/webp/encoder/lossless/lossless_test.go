package lossless

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"testing"

	"golang.org/x/image/vp8l"
)

var formats = []struct {
	name   string
	format Format
}{{"gray", Gray}, {"gray alpha", GrayAlpha}, {"RGB", RGB}, {"RGBA", RGBA}, {"paletted", Paletted}}

var sizes = [][2]int{{1, 1}, {2, 1}, {1, 17}, {3, 7}, {8, 8}, {300, 7}, {7, 300}, {129, 130}, {256, 255}}

// padded arranges packed pixels in rows with padding bytes between them, which must not be encoded.
func padded(format Format, width, height, padding int, pix []byte) *Image {
	rowBytes := width * format.BytesPerPixel()
	img := &Image{Format: format, Width: width, Height: height, Stride: rowBytes + padding}
	for y := range height {
		img.Pix = append(img.Pix, pix[y*rowBytes:][:rowBytes]...)
		img.Pix = append(img.Pix, noise(padding, uint64(y))...)
	}
	img.Pix = img.Pix[:len(img.Pix)-padding]
	if format == Paletted {
		img.Palette = paletteOf(256)
	}
	return img
}

// samplesOf returns the expected samples of a pixel.
func samplesOf(img *Image, x, y int) [4]uint8 {
	p := img.Pix[y*img.Stride+x*img.Format.BytesPerPixel():]
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

// decode decodes a stream with golang.org/x/image.
func decode(t *testing.T, stream []byte, width, height int) *image.NRGBA {
	t.Helper()
	reader := bytes.NewReader(stream)
	picture, err := vp8l.Decode(reader)
	if err != nil {
		t.Fatalf("it cannot be decoded: %v", err)
	}
	if reader.Len() != 0 {
		t.Fatalf("%d bytes after the end of the stream", reader.Len())
	}
	if got, want := picture.Bounds(), image.Rect(0, 0, width, height); got != want {
		t.Fatalf("bounds %v, want %v", got, want)
	}
	return picture.(*image.NRGBA)
}

// checkRoundTrip encodes an image and compares every decoded sample.
func checkRoundTrip(t *testing.T, e *Encoder, img *Image) (stream []byte) {
	t.Helper()
	stream, err := e.Encode(nil, img)
	if err != nil {
		t.Fatal(err)
	}
	picture := decode(t, stream, img.Width, img.Height)
	transparent := false
	for y := range img.Height {
		for x := range img.Width {
			want := samplesOf(img, x, y)
			if got := picture.Pix[y*picture.Stride+4*x:]; [4]uint8(got) != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got[:4], want)
			}
			transparent = transparent || want[3] < 255
		}
	}
	if got := stream[4]>>4&1 == 1; got != transparent {
		t.Errorf("the header says of transparency: %v, want %v", got, transparent)
	}
	return stream
}

func TestEverySample(t *testing.T) {
	var e Encoder
	for _, format := range formats {
		for _, content := range contents {
			for _, size := range sizes {
				for _, padding := range []int{0, 5} {
					t.Run(fmt.Sprintf("%s/%s/%dx%d+%d", format.name, content.name, size[0], size[1], padding), func(t *testing.T) {
						pix := content.make(size[0], size[1], format.format.BytesPerPixel())
						checkRoundTrip(t, &e, padded(format.format, size[0], size[1], padding, pix))
					})
				}
			}
		}
	}
}

func TestColorCounts(t *testing.T) {
	var e Encoder
	for _, count := range []int{1, 2, 3, 4, 5, 15, 16, 17, 128, 255, 256, 257, 700, 5000} {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%d/%dx%d", count, size[0], size[1]), func(t *testing.T) {
				img := &Image{Format: RGBA, Width: size[0], Height: size[1], Stride: 4 * size[0], Pix: colors(size[0], size[1], count)}
				checkRoundTrip(t, &e, img)
			})
		}
	}
}

func TestLargePictures(t *testing.T) {
	for _, size := range [][2]int{{maxSide, 1}, {1, maxSide}, {2500, 1700}} {
		var e Encoder
		checkRoundTrip(t, &e, padded(RGB, size[0], size[1], 0, photographInEmptiness(size[0], size[1], 3)))
	}
}

func TestFlatTilesAreTiny(t *testing.T) {
	for _, format := range formats {
		pixel := []byte{10, 200, 30, 0}[:format.format.BytesPerPixel()]
		var e Encoder
		stream := checkRoundTrip(t, &e, padded(format.format, 256, 256, 0, bytes.Repeat(pixel, 256*256)))
		if len(stream) > 30 {
			t.Errorf("%s: %d bytes", format.name, len(stream))
		}
	}
}

// TestTilesStaySmall bounds the sizes of encoded tiles. Lower the bounds when the encoder improves.
func TestTilesStaySmall(t *testing.T) {
	tests := []struct {
		name     string
		img      *Image
		maxBytes int
	}{
		{"photograph", padded(RGB, 256, 256, 0, photograph(256, 256, 3)), 108000},
		{"chart", padded(RGB, 256, 256, 0, chart(256, 256, 3)), 1000},
		{"16 colors", padded(RGBA, 256, 256, 0, colors(256, 256, 16)), 27500},
		{"noise", padded(RGB, 256, 256, 0, noise(3*256*256, 1)), 3*256*256 + 250},
	}
	for _, test := range tests {
		var e Encoder
		if stream := checkRoundTrip(t, &e, test.img); len(stream) > test.maxBytes {
			t.Errorf("%s: %d bytes, want at most %d", test.name, len(stream), test.maxBytes)
		} else {
			t.Logf("%s: %d bytes", test.name, len(stream))
		}
	}
}

func TestSameBytesAgain(t *testing.T) {
	var used Encoder
	for range 2 {
		for _, content := range contents {
			img := padded(RGBA, 100, 90, 0, content.make(100, 90, 4))
			var fresh Encoder
			want, err := fresh.Encode([]byte("before"), img)
			if err != nil {
				t.Fatal(err)
			}
			got, err := used.Encode([]byte("before"), img)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) || !bytes.HasPrefix(got, []byte("before")) {
				t.Errorf("%s: a used encoder gives other bytes than a new one", content.name)
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	for _, content := range contents {
		img := padded(RGBA, 256, 256, 0, content.make(256, 256, 4))
		var e Encoder
		var out []byte
		encode := func() {
			var err error
			if out, err = e.Encode(out[:0], img); err != nil {
				t.Fatal(err)
			}
			if out, err = e.EncodeAlpha(out, img.Pix[:256*256], 256, 256); err != nil {
				t.Fatal(err)
			}
		}
		encode()
		if allocations := testing.AllocsPerRun(3, encode); allocations != 0 {
			t.Errorf("%s: %v allocations", content.name, allocations)
		}
	}
}

func TestEncodeRejects(t *testing.T) {
	tests := []struct {
		name string
		img  Image
	}{
		{"no format", Image{Format: Paletted + 1, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 4)}},
		{"no width", Image{Width: 0, Height: 1, Pix: make([]byte, 4)}},
		{"negative height", Image{Width: 1, Height: -1, Stride: 1, Pix: make([]byte, 4)}},
		{"too wide", Image{Width: maxSide + 1, Height: 1, Stride: maxSide + 1, Pix: make([]byte, maxSide+1)}},
		{"too few bytes", Image{Format: RGB, Width: 2, Height: 2, Stride: 6, Pix: make([]byte, 11)}},
		{"short stride", Image{Format: RGB, Width: 2, Height: 2, Stride: 5, Pix: make([]byte, 12)}},
		{"negative stride", Image{Width: 1, Height: 2, Stride: -1, Pix: make([]byte, 12)}},
		{"huge stride", Image{Width: 1, Height: 3, Stride: 1 << 62, Pix: make([]byte, 12)}},
		{"no palette", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1)}},
		{"large palette", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1), Palette: paletteOf(257)}},
		{"index without a color", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: []byte{3}, Palette: paletteOf(3)}},
	}
	for _, test := range tests {
		var e Encoder
		got, err := e.Encode([]byte("as before"), &test.img)
		if !errors.Is(err, ErrImage) || string(got) != "as before" {
			t.Errorf("%s: got %q and the error %v, want %v", test.name, got, err, ErrImage)
		}
	}
}
