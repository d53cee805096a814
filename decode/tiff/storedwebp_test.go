package tiff

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	webp "tileserver/codec/webp/decoder"
	"tileserver/decode/tiff/coding"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// Lossless files of 3 x 2 pixels: opaque, with alpha, and with alpha and an empty color profile.
const (
	opaqueWebP = "5249464642000000574542505650384c350000002f024000002f40986db439dc7bfe96a7212420741ffc7f8920db6617" +
		"a9bfe5e73fe0cf78264501856c23c0a17b054ee922fa1fc30b00"
	transparentWebP = "524946464a000000574542505650384c3d0000002f024000102f2024209c50fd7fe90699b44dfb4e44fdbb1c41b6cd2e" +
		"527fcb1348daace1322df879c0e1fb965359110ad9468043f7821ccb45f43f861700"
	extendedWebP = "524946465c00000057454250565038580a0000002000000002000001000049434350000000005650384c350000002f02" +
		"4000002f40986db439dc7bfe96a7212420741ffc7f8920db6617a9bfe5e73fe0cf78264501856c23c0a17b054ee922fa" +
		"1fc30b00"
)

// opaquePicture and transparentPicture return the picture chunks of those files.
func opaquePicture() string      { return opaqueWebP[40 : 40+2*0x35] }
func transparentPicture() string { return transparentWebP[40 : 40+2*0x3d] }

// withChunks returns a file of some chunks, and riffChunk one of them, all in hexadecimal.
func withChunks(chunks ...string) string {
	const name = "57454250"
	body := name + strings.Join(chunks, "")
	return fmt.Sprintf("52494646%08x", bits.ReverseBytes32(uint32(len(body)/2))) + body
}

func riffChunk(name, body string) string {
	padding := strings.Repeat("00", len(body)/2%2)
	return fmt.Sprintf("%x%08x", name, bits.ReverseBytes32(uint32(len(body)/2))) + body + padding
}

// extension returns an extended header of two rows.
func extension(flags, width string) string {
	return riffChunk("VP8X", flags+"000000"+width+"010000")
}

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
		{"alpha", transparentWebP, 4, []int{alpha}, true},
		{"premultiplied alpha", transparentWebP, 4, []int{associated}, false},
		{"opacity that is not alpha", transparentWebP, 4, []int{0}, false},
		{"alpha without an alpha band", transparentWebP, 3, nil, false},
		{"a profile", extendedWebP, 3, nil, false},
		{"more behind it", opaqueWebP + "0011223344", 3, nil, true},
		{"a chunk behind the picture", withChunks(riffChunk("VP8L", opaquePicture()), riffChunk("EXIF", "00112233")), 3, nil, false},
		{"a chunk before the picture", withChunks(riffChunk("JUNK", "00"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"a chunk of nearly that name", withChunks(riffChunk("VP8Z", "00"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"two pictures", withChunks(riffChunk("VP8L", opaquePicture()), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"an extended header", withChunks(extension("00", "020000"), riffChunk("VP8L", opaquePicture())), 3, nil, true},
		{"an extended header and more", withChunks(extension("00", "020000"), riffChunk("VP8L", opaquePicture()), riffChunk("XMP ", "")), 3, nil, false},
		{"two extended headers", withChunks(extension("00", "020000"), extension("00", "020000"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"a wider canvas", withChunks(extension("00", "030000"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"an animation of one picture", withChunks(extension("02", "020000"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"an orientation", withChunks(extension("08", "020000"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"a short extended header", withChunks(riffChunk("VP8X", "000000000200000100"), riffChunk("VP8L", opaquePicture())), 3, nil, false},
		{"an opacity that the flag denies", withChunks(extension("00", "020000"), riffChunk("VP8L", transparentPicture())), 4, []int{alpha}, false},
		{"an opacity that the flag tells", withChunks(extension("10", "020000"), riffChunk("VP8L", transparentPicture())), 4, []int{alpha}, true},
		{"an opacity twice", withChunks(extension("10", "020000"), riffChunk("ALPH", "00"), riffChunk("VP8L", transparentPicture())), 4, []int{alpha}, false},
		{"a header that says less", "52494646" + "0c000000" + opaqueWebP[16:], 3, nil, false},
		{"cut off", opaqueWebP[:len(opaqueWebP)-8], 3, nil, false},
		{"not WebP", "00010203", 3, nil, false},
	} {
		img := tifftest.Image{
			Width: 3, Height: 2, Samples: test.samples, Photometric: tifftest.RGB, ExtraSamples: test.extra,
			Compression: tifftest.Compression(coding.WebP), Stored: blocksOf(test.stored),
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		picture, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{}))
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
