package tiff

import (
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/decode/webp"
	"tileserver/raster"
)

// Files of 3 x 2 pixels, without loss: opaque, and with opacity; and the second with
// an empty profile of colours.
const (
	opaqueWebP = "5249464642000000574542505650384c350000002f024000002f40986db439dc7bfe96a7212420741ffc7f8920db6617" +
		"a9bfe5e73fe0cf78264501856c23c0a17b054ee922fa1fc30b00"
	transparentWebP = "524946464a000000574542505650384c3d0000002f024000102f2024209c50fd7fe90699b44dfb4e44fdbb1c41b6cd2e" +
		"527fcb1348daace1322df879c0e1fb965359110ad9468043f7821ccb45f43f861700"
	extendedWebP = "524946465c00000057454250565038580a0000002000000002000001000049434350000000005650384c350000002f02" +
		"4000002f40986db439dc7bfe96a7212420741ffc7f8920db6617a9bfe5e73fe0cf78264501856c23c0a17b054ee922fa" +
		"1fc30b00"
)

func TestStoredWebP(t *testing.T) {
	const alpha, associated = 2, 1
	for _, test := range []struct {
		name, stored string
		samples      int
		extra        []int
		want         bool
	}{
		{"opaque", opaqueWebP, 3, nil, true},
		{"opaque, with a band of opacity", opaqueWebP, 4, []int{alpha}, true},
		{"opaque, with a band of nothing", opaqueWebP, 4, []int{0}, true},
		{"opacity", transparentWebP, 4, []int{alpha}, true},
		{"opacity by which colours are multiplied", transparentWebP, 4, []int{associated}, false},
		{"opacity that is none", transparentWebP, 4, []int{0}, false},
		{"opacity that nobody asked for", transparentWebP, 3, nil, false},
		{"a profile", extendedWebP, 3, nil, false},
		{"cut off", opaqueWebP[:len(opaqueWebP)-8], 3, nil, false},
		{"not WebP", "00010203", 3, nil, false},
	} {
		img := tifftest.Image{
			Width: 3, Height: 2, Samples: test.samples, Photometric: tifftest.RGB, ExtraSamples: test.extra,
			Compression: tifftest.Compression(compressionWebP), Stored: blocksOf(test.stored),
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		picture, ok, err := m.StoredPicture(t.Context(), 0, raster.BlockID{})
		if err != nil || ok != test.want {
			t.Errorf("%s: got %v and %v, want %v", test.name, ok, err, test.want)
		}
		if ok {
			checkPicture(t, m, 0, raster.BlockID{}, picture)
		}
	}
}

func decodeWebP(t *testing.T, picture raster.StoredPicture, planes [][]uint8) {
	t.Helper()
	pixels := make([]byte, picture.Width*picture.Height*len(planes))
	if err := new(webp.Decoder).Decode(pixels, picture.Bytes, picture.Width, picture.Height, len(planes)); err != nil {
		t.Fatal(err)
	}
	for i, v := range pixels {
		planes[i%len(planes)][i/len(planes)] = v
	}
}
