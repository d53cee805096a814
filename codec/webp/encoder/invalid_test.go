package encoder

import (
	"bytes"
	"errors"
	"testing"
)

// TestOneRowNeedsNoStride checks that the stride of a single row is ignored.
func TestOneRowNeedsNoStride(t *testing.T) {
	var e Encoder
	for _, format := range formats {
		for _, lossless := range []bool{false, true} {
			img := gradients(format.format, 21, 1, 0)
			want := encode(t, &e, img, Options{Lossless: lossless})
			img.Stride = 0
			if got := encode(t, &e, img, Options{Lossless: lossless}); !bytes.Equal(got, want) {
				t.Errorf("%s, lossless %v: other bytes", format.name, lossless)
			}
		}
	}
}

func TestEncodeRejects(t *testing.T) {
	palette := make([][4]uint8, 257)
	tests := []struct {
		name    string
		img     Image
		quality int
	}{
		{"no format", Image{Format: Paletted + 1, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 4)}, 75},
		{"no width", Image{Height: 1, Pix: make([]byte, 4)}, 75},
		{"negative height", Image{Width: 1, Height: -1, Stride: 1, Pix: make([]byte, 4)}, 75},
		{"too wide", Image{Width: MaxSide + 1, Height: 1, Stride: MaxSide + 1, Pix: make([]byte, MaxSide+1)}, 75},
		{"too few bytes", Image{Format: RGB, Width: 2, Height: 2, Stride: 6, Pix: make([]byte, 11)}, 75},
		{"short stride", Image{Format: RGB, Width: 2, Height: 2, Stride: 5, Pix: make([]byte, 12)}, 75},
		{"huge stride", Image{Width: 1, Height: 3, Stride: 1 << 62, Pix: make([]byte, 12)}, 75},
		{"no palette", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1)}, 75},
		{"large palette", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1), Palette: palette}, 75},
		{"index without a color", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: []byte{3}, Palette: palette[:3]}, 75},
		{"quality above 100", Image{Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1)}, 101},
		{"negative quality", Image{Width: 1, Height: 1, Stride: 1, Pix: make([]byte, 1)}, -1},
	}
	for _, test := range tests {
		for _, lossless := range []bool{false, true} {
			var e Encoder
			got, err := e.Encode([]byte("as before"), &test.img, Options{Quality: test.quality, Lossless: lossless})
			if !errors.Is(err, ErrImage) || string(got) != "as before" {
				t.Errorf("%s: got %q and the error %v, want %v", test.name, got, err, ErrImage)
			}
		}
	}
}
