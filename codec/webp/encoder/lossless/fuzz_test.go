package lossless

import "testing"

// filled repeats a seed to the given length.
func filled(length int, seed []byte) []byte {
	pix := make([]byte, length)
	for done := 0; len(seed) > 0 && done < length; {
		done += copy(pix[done:], seed)
	}
	return pix
}

func FuzzEncode(f *testing.F) {
	f.Add(uint8(16), uint8(16), uint8(0), []byte("pixels"))
	f.Add(uint8(1), uint8(40), uint8(1), []byte{0, 255})
	f.Add(uint8(33), uint8(7), uint8(2), []byte{255, 0, 0, 255, 255})
	f.Add(uint8(255), uint8(255), uint8(3), []byte{1, 2, 3, 4, 5, 6, 7})
	f.Add(uint8(9), uint8(2), uint8(0x54), []byte{1, 2, 3, 4, 5, 6, 7})
	f.Add(uint8(64), uint8(64), uint8(3), noise(4*64*64, 1))
	f.Add(uint8(64), uint8(60), uint8(3), photograph(64, 60, 4))
	f.Fuzz(func(t *testing.T, width, height, kind uint8, seed []byte) {
		if width == 0 || height == 0 {
			return
		}
		img := &Image{Format: Format(kind % 5), Width: int(width), Height: int(height)}
		img.Stride = img.Width*img.Format.BytesPerPixel() + int(kind>>4)
		img.Pix = filled(img.Stride*img.Height, seed)
		if img.Format == Paletted {
			img.Palette = paletteOf(256)
		}
		var e Encoder
		checkRoundTrip(t, &e, img)
	})
}

func FuzzEncodeAlpha(f *testing.F) {
	f.Add(uint8(16), uint8(16), []byte("opacities"))
	f.Add(uint8(1), uint8(40), []byte{0, 255})
	f.Add(uint8(31), uint8(50), noise(31*50, 1))
	f.Fuzz(func(t *testing.T, width, height uint8, seed []byte) {
		if width == 0 || height == 0 {
			return
		}
		alpha := filled(int(width)*int(height), seed)
		var e Encoder
		chunk, err := e.EncodeAlpha(nil, alpha, int(width), int(height))
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeAlpha(t, chunk, int(width), int(height)); string(got) != string(alpha) {
			t.Errorf("got %v, want %v", got, alpha)
		}
	})
}
