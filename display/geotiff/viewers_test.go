package geotiff

import (
	"bytes"
	"encoding/binary"
	"image/color"
	"testing"

	"golang.org/x/image/tiff"
)

// An independent decoder reads back images that common viewers show.
func TestCommonPictures(t *testing.T) {
	tests := []struct {
		name     string
		kind     Type
		bands    int
		tileSide int
		alpha    bool
	}{
		{"gray", Uint8, 1, 0, false},
		{"gray of 16 bits in tiles", Uint16, 1, 16, false},
		{"RGB", Uint8, 3, 0, false},
		{"RGB in tiles", Uint8, 3, 32, false},
		{"RGB of 16 bits", Uint16, 3, 0, false},
		{"RGB with alpha", Uint8, 3, 16, true},
		{"RGB of 16 bits with alpha", Uint16, 3, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img := noisyImage(test.kind, 45, 31, test.bands)
			img.RGB, img.TileSide = test.bands == 3, test.tileSide
			if test.alpha {
				img.Coverage = [][]uint8{patchyCoverage(45*31, 1)}
			}
			picture, err := tiff.Decode(bytes.NewReader(encode(t, img)))
			if err != nil {
				t.Fatal(err)
			}
			for i := range img.Width * img.Height {
				got := color.NRGBA64Model.Convert(picture.At(i%img.Width, i/img.Width)).(color.NRGBA64)
				if want := colorAt(img, i); got != want {
					t.Fatalf("pixel %d is %v, want %v", i, got, want)
				}
			}
		})
	}
}

// colorAt returns the color of a pixel. Pixels without coverage are fully transparent.
func colorAt(img *Image, i int) color.NRGBA64 {
	alpha := uint8(255)
	if len(img.Coverage) > 0 {
		alpha = img.Coverage[0][i]
	}
	if alpha == 0 {
		return color.NRGBA64{}
	}
	if img.Type == Uint8 {
		sample := func(band int) uint8 { return img.Bands[min(band, len(img.Bands)-1)].Samples[i] }
		return color.NRGBA64Model.Convert(color.NRGBA{sample(0), sample(1), sample(2), alpha}).(color.NRGBA64)
	}
	sample := func(band int) uint16 {
		return binary.LittleEndian.Uint16(img.Bands[min(band, len(img.Bands)-1)].Samples[2*i:])
	}
	return color.NRGBA64{sample(0), sample(1), sample(2), uint16(alpha) * 257}
}
