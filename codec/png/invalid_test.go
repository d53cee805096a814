package png

import (
	"errors"
	"math"
	"testing"
)

func TestInvalid(t *testing.T) {
	pix := make([]byte, 3*4*5)
	one := make([][4]uint8, 1)
	tests := []struct {
		name string
		img  Image
	}{
		{"format", Image{Format: 9, Width: 4, Height: 5, Stride: 12, Pix: pix}},
		{"no width", Image{Format: RGB, Width: 0, Height: 5, Stride: 12, Pix: pix}},
		{"negative height", Image{Format: RGB, Width: 4, Height: -5, Stride: 12, Pix: pix}},
		{"too wide", Image{Format: Gray, Width: MaxSide + 1, Height: 1, Pix: make([]byte, MaxSide+1)}},
		{"too large", Image{Format: RGBA, Width: MaxSide, Height: MaxSide, Stride: 4 * MaxSide, Pix: pix}},
		{"short", Image{Format: RGB, Width: 4, Height: 5, Stride: 12, Pix: pix[:59]}},
		{"no pixels", Image{Format: RGB, Width: 4, Height: 5, Stride: 12}},
		{"narrow stride", Image{Format: RGB, Width: 4, Height: 5, Stride: 11, Pix: pix}},
		{"negative stride", Image{Format: RGB, Width: 4, Height: 5, Stride: -12, Pix: pix}},
		{"huge stride", Image{Format: RGB, Width: 4, Height: 5, Stride: math.MaxInt, Pix: pix}},
		{"no palette", Image{Format: Paletted, Width: 4, Height: 5, Stride: 4, Pix: pix}},
		{"palette of 257", Image{Format: Paletted, Width: 4, Height: 5, Stride: 4, Pix: pix, Palette: make([][4]uint8, 257)}},
		{"index outside the palette", Image{Format: Paletted, Width: 2, Height: 1, Stride: 2, Pix: []byte{0, 1}, Palette: one}},
		{"the only index outside the palette", Image{Format: Paletted, Width: 1, Height: 1, Stride: 1, Pix: []byte{1}, Palette: one}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var encoder Encoder
			got, err := encoder.Encode([]byte("kept"), &test.img)
			if !errors.Is(err, ErrImage) {
				t.Errorf("error %v, want %v", err, ErrImage)
			}
			if string(got) != "kept" {
				t.Errorf("returned %q, want what was given", got)
			}
		})
	}
}
