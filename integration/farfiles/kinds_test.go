package farfiles

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/boxes/boxestest"
	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/jp2ktest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/decode/nitf/nitftest"
	"tileserver/decode/tiff/tifftest"
)

const width, height = 900, 700 // of the images

// noise is the samples of most images: no compression brings them into the head of the file.
func noise(x, y, band int) float64 { return float64((x*x*31 + y*y*57 + x*y*7 + 40*band) >> 3 & 255) }

// tiled is an image in tiles.
func tiled(samples int) tifftest.Image {
	return tifftest.Image{Width: width, Height: height, Samples: samples, Tiled: true, BlockWidth: 64, BlockHeight: 64, Compression: tifftest.LZW, Value: noise}
}

// masked returns images, each with a mask behind it.
func masked(images []tifftest.Image) (all []tifftest.Image) {
	for _, img := range images {
		mask := img
		mask.Samples, mask.Bits, mask.Subfile, mask.Tags = 1, 1, img.Subfile|tifftest.Mask, nil
		mask.Value = func(x, y, _ int) float64 { return float64((x + y) / 16 % 2) }
		all = append(all, img, mask)
	}
	return all
}

// withOverviews returns an image and two overviews.
func withOverviews(img tifftest.Image) []tifftest.Image {
	return append([]tifftest.Image{img}, tifftest.Overviews(img, 2)...)
}

// ghost returns what GDAL writes before the directories of a COG.
func ghost() string {
	lines := strings.Join([]string{
		"LAYOUT=IFDS_BEFORE_DATA", "BLOCK_ORDER=ROW_MAJOR", "BLOCK_LEADER=SIZE_AS_UINT4",
		"BLOCK_TRAILER=LAST_4_BYTES_REPEATED", "KNOWN_INCOMPATIBLE_EDITION=NO", "MASK_INTERLEAVED_WITH_IMAGERY=YES",
	}, "\n") + "\n "
	return fmt.Sprintf("GDAL_STRUCTURAL_METADATA_SIZE=%06d bytes\n%s", len(lines), lines)
}

// large is an image with so many tiles that its index is not read when it is opened. Few are stored.
func large() tifftest.Image {
	img := tiled(1)
	img.Width, img.Height, img.BlockWidth, img.BlockHeight = 16*300, 16*200, 16, 16
	img.Sparse = func(column, row int) bool { return column/20 != row/20 }
	return img
}

// huge returns an image of 120,000 tiles with six overviews. Of each one tile is stored.
func huge() (all []tifftest.Image) {
	img := tifftest.Image{
		Width: 90_000, Height: 88_000, Tiled: true, BlockWidth: 256, BlockHeight: 256, Compression: tifftest.PackBits,
		Value: func(int, int, int) float64 { return 7 }, Sparse: func(column, row int) bool { return column > 0 || row > 0 },
	}
	for range 7 {
		all = append(all, img)
		img.Width, img.Height, img.Subfile = img.Width/2, img.Height/2, tifftest.Overview
	}
	return all
}

// tiff returns the bytes of a TIFF.
func tiff(t *testing.T, f tifftest.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// image is one of JPEG 2000 in tiles of a side, or in one if it is 0.
func image(side int) jp2ktest.Image {
	m := jp2ktest.Image{
		Header: codestreamtest.Header{
			Image: wavelet.Rect{X1: width, Y1: height}, Components: jp2ktest.Components(1, 8),
			Coding: codestreamtest.Coding{Levels: 2, BlockWidthLog2: 5, BlockHeightLog2: 5, Order: codestream.RPCL},
		},
		Sample: jp2ktest.Noise,
	}
	if side > 0 {
		m.FirstTile = wavelet.Rect{X1: side, Y1: side}
	}
	return m
}

// largeTile is a larger image in one tile, in precincts.
func largeTile() jp2ktest.Image {
	m := image(0)
	m.Image = wavelet.Rect{X1: 2 * width, Y1: 2 * height}
	m.Coding.Precincts = slices.Repeat([]codestreamtest.Precinct{{WidthLog2: 7, HeightLog2: 7}}, m.Coding.Levels+1)
	return m
}

// jp2 returns an image as a file.
func jp2(m jp2ktest.Image) []byte {
	header := boxestest.Header(boxestest.ImageHeader(m.Image.X1, m.Image.Y1, 1, 8), boxestest.EnumeratedColor(17))
	return boxestest.File(header, boxestest.Box("jp2c", m.Codestream()))
}

// withTable returns an image whose header lists its tile-parts.
func withTable(m jp2ktest.Image) jp2ktest.Image {
	stream := m.Codestream()
	table := []byte{0, 0x60} // with tiles of 2 bytes and lengths of 4
	for at := bytes.Index(stream, []byte{0xFF, 0x90}); stream[at+1] == 0x90; {
		tile, length := stream[at+4:][:2], stream[at+6:][:4]
		table = slices.Concat(table, tile, length)
		at += int(binary.BigEndian.Uint32(length))
	}
	m.Segments = append(m.Segments, codestreamtest.Segment(0xFF55, table))
	return m
}

// withLengths returns an image whose tiles list the lengths of their packets.
func withLengths(m jp2ktest.Image) jp2ktest.Image {
	m.Lengths = true
	return m
}

// nitf returns a file of one image in blocks.
func nitf(change func(*nitftest.Image)) []byte {
	m := nitftest.Image{Width: width, Height: height, BlockWidth: 100, BlockHeight: 100, Value: noise}
	change(&m)
	return nitftest.File{Images: []nitftest.Image{m}}.Bytes()
}

// severalNITFs returns a file of several images, each of them with a mask.
func severalNITFs() []byte {
	m := nitftest.Image{Width: width, Height: height, BlockWidth: 100, BlockHeight: 100, Value: noise, Compression: "NM"}
	m.Missing = func(column, _, _ int) bool { return column == 8 }
	return nitftest.File{Images: []nitftest.Image{m, m, m, m, m}}.Bytes()
}
