package encoder

import "testing"

func FuzzEncode(f *testing.F) {
	f.Add(uint8(16), uint8(16), uint8(0), []byte("pixels"))
	f.Add(uint8(1), uint8(40), uint8(1), []byte{0, 255})
	f.Add(uint8(33), uint8(7), uint8(2), []byte{255, 0, 0, 255, 255})
	f.Add(uint8(70), uint8(75), uint8(3), []byte{1, 2, 3, 0, 5, 6, 7})
	f.Add(uint8(9), uint8(2), uint8(4), []byte{1, 2, 3, 4, 5, 6, 7})
	f.Fuzz(func(t *testing.T, width, height, kind uint8, seed []byte) {
		if width == 0 || height == 0 {
			return
		}
		img := gradients(Format(kind%5), int(width), int(height), int(kind>>5))
		for done := 0; len(seed) > 0 && done < len(img.Pix); {
			done += copy(img.Pix[done:], seed)
		}
		var e Encoder
		checkLossless(t, img, encode(t, &e, img, Options{Lossless: true}))
		checkLossy(t, img, encode(t, &e, img, Options{Quality: int(kind)%100 + 1}), 255)
	})
}
