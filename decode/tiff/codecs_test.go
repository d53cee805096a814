package tiff

import (
	"encoding/hex"
	"slices"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// blocksOf returns stored blocks, given in hexadecimal.
func blocksOf(text string) func(column, row, plane int) []byte {
	return func(int, int, int) []byte {
		bytes, err := hex.DecodeString(text)
		if err != nil {
			panic(err) // a mistake in this file
		}
		return bytes
	}
}

// lercBlob holds two rows of the numbers from 1 to 6.
const lercBlob = "4c6572633220" + "04000000" + "4a6124ee" + "02000000" + "03000000" + "01000000" + "06000000" + "08000000" +
	"4f000000" + "01000000" + "0000000000000000" + "0000000000000000" + "000000000000f03f" + "00000000" + "0001" + "01" + "010203040506"

// unusualImages returns images with samples and codecs that few files have.
func unusualImages() []tifftest.Image {
	type field = tifftest.Field
	value := wave(8, tifftest.Unsigned)
	images := []tifftest.Image{
		{Bits: 64, Format: tifftest.ComplexFloat},
		{Bits: 13, Format: tifftest.Signed, Planar: true, Samples: 2, LowBitFirst: true},
		{Bits: 24, Format: tifftest.Float, Compression: tifftest.Deflate, Predictor: 3},
		{Fields: []field{{Bits: 5}, {Bits: 6}, {Bits: 5}}},
		{Samples: 3, Photometric: tifftest.YCbCr, Subsampling: [2]int{4, 2}, Compression: tifftest.LZW},
		{Samples: 3, Photometric: tifftest.YCbCr, Subsampling: [2]int{2, 2}, Planar: true, Tiled: true, BlockWidth: 16, BlockHeight: 16},
		{Bits: 1, Compression: 2, Stored: blocksOf("bfc0")}, {Bits: 1, Compression: 3, Stored: blocksOf("001bfc")},
		{Bits: 1, Compression: 4, Stored: blocksOf("37f800")}, {Bits: 2, Compression: 32766, Stored: blocksOf("001b90")},
		{Bits: 4, Compression: 32809, Stored: blocksOf("c5c1cf")}, {Bits: 16, Compression: 34676, Stored: blocksOf("0301ff4003020304")},
		{Compression: 34887, Stored: blocksOf(lercBlob)},
	}
	for i := range images {
		images[i].Width, images[i].Height, images[i].Value = 19, 21, value
		if images[i].Stored != nil {
			images[i].Width, images[i].Height = 3, 2
		}
	}
	return images
}

// TestCodecsOfTags decodes blocks whose codecs depend on tags, such as CCITT options and a second
// compression.
func TestCodecsOfTags(t *testing.T) {
	type tags = []tifftest.Tag
	longs := func(id uint16, values ...uint32) tifftest.Tag { return tifftest.Tag{ID: id, Value: values} }
	row := []byte{0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0}
	for _, test := range []struct {
		name   string
		img    tifftest.Image
		stored string
		want   []byte
	}{
		{"group 3 in one dimension", tifftest.Image{Width: 13, Height: 1, Bits: 1, Compression: 3, Tags: tags{longs(292, 0)}}, "001bfc", row},
		// A bit follows the end of each row: 1 before a row of runs, 0 before a row of changes
		// against the previous row. Nothing changes here: 1 for each of the three changes.
		{"group 3 in two dimensions", tifftest.Image{Width: 13, Height: 2, Bits: 1, Compression: 3, Tags: tags{longs(292, 1)}}, "001dfe001700",
			slices.Concat(row, row)},
		{"group 4 with the low bit first", tifftest.Image{Width: 13, Height: 2, Bits: 1, Compression: 4, Tags: tags{longs(266, 2)}}, "ec1f00",
			slices.Concat(row, row)},
		{"LERC", tifftest.Image{Width: 3, Height: 2, Compression: 34887, Tags: tags{longs(50674, 4, 0)}}, lercBlob, []byte{1, 2, 3, 4, 5, 6}},
		{"LERC without its tag", tifftest.Image{Width: 3, Height: 2, Compression: 34887}, lercBlob, []byte{1, 2, 3, 4, 5, 6}},
		{"words of SGILog", tifftest.Image{Width: 2, Height: 1, Bits: 32, Compression: 34676, Tags: tags{{ID: 262, Value: []uint16{32845}}}},
			"020102" + "020304" + "020506" + "020708", nil},
	} {
		img := test.img
		img.Stored = blocksOf(test.stored)
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		planes, err := planesOf(t, m, 0)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if test.want != nil && !slices.Equal(planes[0], test.want) {
			t.Errorf("%s: got %v, want %v", test.name, planes[0], test.want)
		}
		if test.want == nil && (m.Info().Type != raster.Uint32 || m.Info().Colors.Space != raster.LogLuv) {
			t.Errorf("%s: got %v of %v", test.name, m.Info().Type, m.Info().Colors.Space)
		}
	}
}
