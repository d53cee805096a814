package tiff

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// checkSoundRows checks that a block has so many rows of the image at least, and that all others are
// lost.
func checkSoundRows(t *testing.T, m *Image, minRows int, says string) {
	t.Helper()
	l := m.Info().Levels[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Error(err)
		return
	}
	sound := 0
	for y := range tiles[0].Height() {
		for x := range l.Width {
			got, coverage := tiles[0].At(0, x, y)
			if coverage == raster.Invalid {
				break
			}
			if want := wave(8, tifftest.Unsigned)(x, y, 0); got != want || sound < y {
				t.Errorf("pixel %d,%d is %v, want %v, behind %d sound rows", x, y, got, want, sound)
				return
			}
			sound = y + 1
		}
	}
	d := tiles[0].Damage()
	if sound < minRows || sound == l.Height || d.IsZero() || d.IsTotal() || !strings.Contains(d.Losses()[0].Text, says) {
		t.Errorf("%d rows are sound, want %d and not all; lost: %v", sound, minRows, d.Losses())
	}
}

// TestCutBlocks cuts files off within their only block. The rows before the end are sound.
func TestCutBlocks(t *testing.T) {
	for _, compression := range []tifftest.Compression{tifftest.None, tifftest.PackBits, tifftest.LZW, tifftest.Deflate, tifftest.ZSTD} {
		for _, tiled := range []bool{false, true} {
			t.Run(fmt.Sprintf("compression %d, tiled %t", compression, tiled), func(t *testing.T) {
				img := tifftest.Image{
					Width: 300, Height: 400, Value: wave(8, tifftest.Unsigned), Compression: compression, Tiled: tiled, BlockWidth: 304, BlockHeight: 400,
				}
				data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{img}})
				where := unitAt(t, data, false, 0, 0, 0)
				cut := where.Offset + where.Length*3/4
				if compression == tifftest.None && !tiled {
					cut = int64(len(data)) * 3 / 4
				}
				minRows := 200
				if compression == tifftest.ZSTD {
					minRows = 0 // its blocks are decoded as a whole
				}
				m := openBytes(t, data[:cut]).Images()[0]
				if minRows > 0 {
					checkSoundRows(t, m, minRows, "of a file of")
				}
				if damage, known, err := m.Missing(t.Context()); err != nil || !known || damage.IsTotal() {
					t.Errorf("missing: %v, %t, %v", damage, known, err)
				}
			})
		}
	}
}

// TestShortBlocks has blocks that end before their last row, in a file that goes on.
func TestShortBlocks(t *testing.T) {
	img := tifftest.Image{Width: 30, Height: 40, Tiled: true, BlockWidth: 32, BlockHeight: 48}
	img.Stored = func(int, int, int) (block []byte) {
		for i := range 25*32 + 7 {
			block = append(block, byte(wave(8, tifftest.Unsigned)(i%32, i/32, 0)))
		}
		return block
	}
	checkSoundRows(t, open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0], 25, "from row 25 on: ends after 807 of 1280 bytes")
}

// TestShortArrayOfStrips has offsets of only three of four strips.
func TestShortArrayOfStrips(t *testing.T) {
	data := rawFile(0, rawImage(rawEntry{278, 3, 1, 1}, rawEntry{273, 1, 3, 0x090909}, rawEntry{279, 1, 3, 0x080808})...)
	f, err := Open(t.Context(), source.NewBytes("test", data), Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 4 {
		if _, coverage := tiles[0].At(0, 0, y); (coverage == raster.Valid) != (y < 3) {
			t.Errorf("row %d: coverage %d", y, coverage)
		}
	}
	if d := tiles[0].Damage(); d.IsTotal() || d.String() != "1 block" || !strings.Contains(d.Losses()[0].Text, "end after 3 of 4 blocks") {
		t.Errorf("lost %v", d.Losses())
	}
}

// TestFaxLineThatIsCutShort has three rows of Group 3, of which the second ends after four white
// pixels.
func TestFaxLineThatIsCutShort(t *testing.T) {
	stored, err := hex.DecodeString("001bfc" + "001b" + "001bfc")
	if err != nil {
		t.Fatal(err)
	}
	img := tifftest.Image{Width: 13, Height: 3, Bits: 1, Compression: 3, Stored: func(int, int, int) []byte { return stored }}
	tiles, err := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 3 {
		for x := range 13 {
			got, coverage := tiles[0].At(0, x, y)
			want, isSound := 0., y != 1 || x < 4
			if x == 4 || x == 5 {
				want = 1
			}
			if (coverage == raster.Valid) != isSound || isSound && got != want {
				t.Errorf("pixel %d,%d is %v with coverage %d, want %v, sound: %t", x, y, got, coverage, want, isSound)
			}
		}
	}
	if d := tiles[0].Damage(); d.String() != "1 row" || !strings.Contains(d.Losses()[0].Text, "row 1 is damaged from pixel 4 on") {
		t.Errorf("lost %v", d.Losses())
	}
}

// TestPixelsWithTheirOwnChroma has no tag that says how chroma is subsampled, and strips of whole
// pixels.
func TestPixelsWithTheirOwnChroma(t *testing.T) {
	img := tifftest.Image{Width: 7, Height: 5, Samples: 3, Bits: 12, Photometric: tifftest.YCbCr, Value: wave(12, tifftest.Unsigned), Tags: []tifftest.Tag{{ID: 530}}}
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	checkLevel(t, m, 0, img.Value, 0)
}

// A JPEG that the file ends within is not handed out as it is.
func TestCutBlocksAreNoPictures(t *testing.T) {
	data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{tiledJPEG(func(img *tifftest.Image) { img.Width, img.Height = 64, 32 })}})
	m := openBytes(t, data[:len(data)-10]).Images()[0]
	l := m.Info().Levels[0]
	last := raster.BlockID{Col: l.Columns() - 1, Row: l.Rows() - 1}
	whole := openBytes(t, data).Images()[0]
	if _, ok, err := whole.StoredPicture(t.Context(), 0, l.Block(last)); !ok || err != nil {
		t.Fatalf("the whole file: %t, %v", ok, err)
	}
	if _, ok, err := m.StoredPicture(t.Context(), 0, l.Block(last)); ok || err != nil {
		t.Errorf("got a picture: %t, %v", ok, err)
	}
}

// checkRowsOf checks that a cut image of one block has rows of the whole one, at least so many, and
// nothing below them.
func checkRowsOf(t *testing.T, name string, m, whole *Image, minRows int, says string) {
	t.Helper()
	read := func(m *Image) raster.Tile {
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return tiles[0]
	}
	got, want := read(m), read(whole)
	sound := 0
	for y := range got.Height() {
		_, coverage := got.At(0, 0, y)
		if coverage == raster.Valid {
			sound = y + 1
		}
		for band := range got.Bands() {
			for x := range got.Width() {
				v, of := got.At(band, x, y)
				if w, _ := want.At(band, x, y); of != coverage || of == raster.Valid && (v != w || sound <= y) || of == raster.Invalid && v != 0 {
					t.Errorf("%s: sample %d,%d of band %d is %v with coverage %d, want %v", name, x, y, band, v, of, w)
					return
				}
			}
		}
	}
	d := got.Damage()
	if sound < minRows || sound >= got.Height() || d.IsZero() || d.IsTotal() || !strings.Contains(d.Losses()[0].Text, says) {
		t.Errorf("%s: %d rows are sound, want %d and not all; lost: %v", name, sound, minRows, d.Losses())
	}
}

// TestCutJPEG has blocks of JPEG that end early: because the file does, or in a file that goes on.
func TestCutJPEG(t *testing.T) {
	for _, test := range []struct {
		name string
		img  tifftest.Image
	}{
		{"gray", tifftest.Image{}},
		{"gray tile", tifftest.Image{Tiled: true, BlockWidth: 128, BlockHeight: 208}},
		{"colors", tifftest.Image{Samples: 3, Photometric: tifftest.YCbCr}},
		{"subsampled chroma", tifftest.Image{Samples: 3, Photometric: tifftest.YCbCr, JPEG: tifftest.JPEG{Subsampled: true}}},
	} {
		img := test.img
		img.Width, img.Height, img.Value, img.Compression, img.JPEG.InlineTables = 117, 201, wave(8, tifftest.Unsigned), tifftest.JPEGBlocks, true
		data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{img}})
		whole, where := openBytes(t, data).Images()[0], unitAt(t, data, false, 0, 0, 0)
		cut := where.Offset + where.Length*2/3
		const minRows = 90
		checkRowsOf(t, test.name+", cut file", openBytes(t, data[:cut]).Images()[0], whole, minRows, "of a file of")

		img.Stored = func(int, int, int) []byte { return data[where.Offset:cut] }
		short := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		checkRowsOf(t, test.name+", short block", short, whole, minRows, "on: jpeg: corrupt stream: truncated data")
	}
}

// TestCutJPEGWithoutARow has a block of which no row is complete.
func TestCutJPEGWithoutARow(t *testing.T) {
	img := tifftest.Image{Width: 117, Height: 201, Value: wave(8, tifftest.Unsigned), Compression: tifftest.JPEGBlocks, JPEG: tifftest.JPEG{InlineTables: true}}
	data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{img}})
	scan := bytes.Index(data, []byte{0xFF, 0xDA})
	tiles, err := openBytes(t, data[:scan+20]).Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil || !tiles[0].Damage().IsTotal() || tiles[0].AnyValid() {
		t.Errorf("got %v, lost %v", err, tiles[0].Damage().Losses())
	}
}

// TestCutOldJPEG has a strip of old-style JPEG that ends early.
func TestCutOldJPEG(t *testing.T) {
	const width, height = 43, 97
	p := newOldJPEGPicture(t, width, 0, height)
	of := func(data []byte) *Image {
		var f oldJPEGFile
		f.tables(p)
		f.list(273, f.add(data))
		f.list(279, uint32(len(data)))
		return openBytes(t, f.bytes(width, height, height)).Images()[0]
	}
	checkRowsOf(t, "old JPEG", of(p.data[:len(p.data)/2]), of(p.data), 32, "on: jpeg: corrupt stream: truncated data")
}

// TestCutStreamThatIsLargerThanItsTile has a stream of more rows and columns than its tile, which
// ends before the last row of the tile.
func TestCutStreamThatIsLargerThanItsTile(t *testing.T) {
	img := tifftest.Image{
		Width: 64, Height: 64, Tiled: true, BlockWidth: 128, BlockHeight: 128, Value: wave(8, tifftest.Unsigned),
		Compression: tifftest.JPEGBlocks, JPEG: tifftest.JPEG{InlineTables: true},
	}
	data := encode(t, tifftest.File{Images: []tifftest.Image{img}})
	where := unitAt(t, data, false, 0, 0, 0)
	img.BlockWidth, img.BlockHeight = 64, 64
	of := func(bytes int64) *Image {
		img.Stored = func(int, int, int) []byte { return data[where.Offset:][:bytes] }
		return open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	}
	checkRowsOf(t, "a larger stream", of(where.Length*2/5), of(where.Length), 16, "truncated data")
}

// TestIrregularTileSize reads a shared file. Its second tile has the beginning of a stream of 512 x 512
// pixels, whose upper left part is shown.
func TestIrregularTileSize(t *testing.T) {
	f, err := openFile(t, filepath.Join(testdataFolder(t), "tiff", "gdal", "irregular_tile_size_jpeg_in_tiff.tif"))
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}, {Col: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const soundRows = 128
	for y := range 256 {
		if _, coverage := tiles[1].At(0, 0, y); (coverage == raster.Valid) != (y < soundRows) {
			t.Errorf("row %d has coverage %d", y, coverage)
		}
	}
	if d := tiles[1].Damage(); !tiles[0].Damage().IsZero() || d.IsTotal() || d.Losses()[0].Text != "block 1,0 of directory 1: from row 128 on: jpeg: corrupt stream: truncated data" {
		t.Errorf("lost %v, and %v beside it", d.Losses(), tiles[0].Damage().Losses())
	}
}
