package png

import (
	"errors"
	"testing"
)

func FuzzEncode(f *testing.F) {
	f.Add(uint8(16), uint8(16), uint8(0), []byte("pixels"))
	f.Add(uint8(1), uint8(40), uint8(1), []byte{0, 255})
	f.Add(uint8(33), uint8(7), uint8(2), []byte{255, 0, 0, 255, 255})
	f.Add(uint8(255), uint8(255), uint8(3), []byte{1, 2, 3, 4, 5, 6, 7})
	f.Add(uint8(9), uint8(2), uint8(0x54), []byte{1, 2, 3, 4, 5, 6, 7})
	f.Fuzz(func(t *testing.T, width, height, kind uint8, seed []byte) {
		img := Image{Format: Format(kind % 9), Width: int(width), Height: int(height)}
		img.Stride = img.Width*img.Format.bytesPerPixel() + int(kind>>4)
		img.Pix = make([]byte, img.Stride*img.Height)
		for filled := 0; len(seed) > 0 && filled < len(img.Pix); {
			filled += copy(img.Pix[filled:], seed)
		}
		if img.Format == Paletted {
			img.Palette = palette(256)
		}
		var encoder Encoder
		out, err := encoder.Encode(nil, &img)
		if width == 0 || height == 0 {
			if !errors.Is(err, ErrImage) {
				t.Fatalf("%d x %d: error %v, want %v", width, height, err, ErrImage)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkDecoded(t, out, &img)
	})
}
