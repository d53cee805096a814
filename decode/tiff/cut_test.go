package tiff

import (
	"encoding/hex"
	"fmt"
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
