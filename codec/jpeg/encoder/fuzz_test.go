package encoder

import (
	"bytes"
	"image"
	stdjpeg "image/jpeg"
	"testing"
)

func FuzzEncode(f *testing.F) {
	f.Add(uint8(16), uint8(16), uint8(75), uint8(0), []byte("pixels"))
	f.Add(uint8(1), uint8(40), uint8(100), uint8(1), []byte{0, 255})
	f.Add(uint8(33), uint8(7), uint8(1), uint8(2), []byte{255, 0, 0, 255, 255})
	f.Fuzz(func(t *testing.T, width, height, quality, kind uint8, seed []byte) {
		img := Image{Format: Format(kind % 2), Width: int(width), Height: int(height)}
		img.Stride = img.Width*img.Format.bytesPerPixel() + int(kind>>4)
		img.Pix = make([]byte, img.Stride*img.Height)
		for filled := 0; len(seed) > 0 && filled < len(img.Pix); {
			filled += copy(img.Pix[filled:], seed)
		}
		var encoder Encoder
		out, err := encoder.Encode(nil, &img, Options{Quality: int(quality), Subsampling: Subsampling(kind >> 1 % 2)})
		if err != nil {
			if width == 0 || height == 0 || quality > 100 {
				return
			}
			t.Fatal(err)
		}
		picture, err := stdjpeg.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := picture.Bounds(), image.Rect(0, 0, img.Width, img.Height); got != want {
			t.Errorf("bounds %v, want %v", got, want)
		}
	})
}
