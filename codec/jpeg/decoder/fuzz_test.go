package decoder

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"slices"
	"testing"
)

// FuzzDecode decodes arbitrary data. The decoder must not panic, must stay fast, and must classify
// its errors.
func FuzzDecode(f *testing.F) {
	for _, factors := range [][][2]int{onePlane, halfBoth, fourInks} {
		for _, bits := range []int{8, 12} {
			d := newDrawing(19, 13, bits, factors, 1)
			f.Add(d.sequential(0, d.all()))
			f.Add(d.sequential(2, []int{0}))
			f.Add(d.progressive(3, d.fullScript()))
		}
	}
	gray := newDrawing(19, 13, 8, onePlane, 1)
	f.Add(withoutTables(gray.sequential(0, gray.all()), nitfMarker(8, 0, 3)))
	f.Add(newLosslessDrawing(9, 5, 12, 2).encode(4, 1, 2, []int{0, 1}))
	var used Decoder
	f.Fuzz(func(t *testing.T, stream []byte) {
		const maxSamples = 1 << 18
		frame, err := used.Open(stream, nil)
		if err == nil && frame.Width*frame.Height > maxSamples {
			return
		}
		planes, err := tryDecode(&used, stream, frame.Components == 3)
		if err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
			t.Fatal(err)
		}
		second, secondErr := tryDecode(new(Decoder), stream, frame.Components == 3)
		if (err == nil) != (secondErr == nil) || err == nil && !slices.Equal(slices.Concat(planes...), slices.Concat(second...)) {
			t.Fatalf("a used decoder makes other samples, or %v and %v", err, secondErr)
		}
	})
}

// FuzzPicture encodes a picture with the standard library and compares the decoded samples.
func FuzzPicture(f *testing.F) {
	f.Add([]byte{0, 255, 0, 255, 255, 0}, byte(3), byte(100))
	f.Add(bytes.Repeat([]byte{9, 200, 31, 77, 5}, 300), byte(40), byte(60))
	f.Fuzz(func(t *testing.T, pixels []byte, width, quality byte) {
		if width == 0 || len(pixels) < int(width) {
			return
		}
		p := image.NewGray(image.Rect(0, 0, int(width), min(len(pixels)/int(width), 200)))
		copy(p.Pix, pixels)
		var stream bytes.Buffer
		if err := jpeg.Encode(&stream, p, &jpeg.Options{Quality: int(quality%100) + 1}); err != nil {
			t.Fatal(err)
		}
		planes, err := tryDecode(new(Decoder), stream.Bytes(), false)
		if err != nil {
			t.Fatal(err)
		}
		want, err := jpeg.Decode(&stream)
		if err != nil {
			t.Fatal(err)
		}
		for at, got := range planes[0] {
			w := int(want.(*image.Gray).GrayAt(at%int(width), at/int(width)).Y)
			if difference := int(got) - w; difference > 2 || difference < -2 {
				t.Fatalf("pixel %d is %d, want %d", at, got, w)
			}
		}
	})
}
