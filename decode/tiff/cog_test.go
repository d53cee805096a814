package tiff

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// ghostOf returns a ghost area with the given lines, as GDAL writes it.
func ghostOf(lines ...string) string {
	text := strings.Join(lines, "\n") + "\n "
	return fmt.Sprintf("GDAL_STRUCTURAL_METADATA_SIZE=%06d bytes\n%s", len(text), text)
}

// gdalGhost returns the complete ghost area of GDAL.
func gdalGhost(changed string) string {
	return ghostOf("LAYOUT=IFDS_BEFORE_DATA", "BLOCK_ORDER=ROW_MAJOR", "BLOCK_LEADER=SIZE_AS_UINT4",
		"BLOCK_TRAILER=LAST_4_BYTES_REPEATED", "KNOWN_INCOMPATIBLE_EDITION="+changed, "MASK_INTERLEAVED_WITH_IMAGERY=YES")
}

// largeCOG returns a file with 120,000 tiles and six overviews, with or without masks. Only one
// tile of each image is stored.
func largeCOG(ghost string, masked bool) tifftest.File {
	img := tifftest.Image{
		Width: 90_000, Height: 88_000, Tiled: true, BlockWidth: 256, BlockHeight: 256, Compression: tifftest.PackBits,
		Value:  func(int, int, int) float64 { return 7 },
		Sparse: func(column, row int) bool { return column > 0 || row > 0 },
	}
	f := tifftest.File{BigTIFF: true, COG: true, Ghost: ghost}
	for range 7 {
		mask := img
		mask.Bits, mask.Subfile = 1, img.Subfile|tifftest.Mask
		mask.Value = func(int, int, int) float64 { return 1 }
		f.Images = append(f.Images, img)
		if masked {
			f.Images = append(f.Images, mask)
		}
		img = overview(img)
		img.Width, img.Height = img.Width/2, img.Height/2
	}
	return f
}

// TestReadsOfLargeCOG counts the reads to open a large COG and to read a block, with and without a
// ghost area.
func TestReadsOfLargeCOG(t *testing.T) {
	for _, test := range []struct {
		name, ghost  string
		masked       bool
		reads, parts int // to open the file, and to read a block with its mask
	}{
		{"as GDAL lays it out", gdalGhost("NO"), false, 2, 1},
		{"with masks", gdalGhost("NO"), true, 5, 2},
		{"changed since", gdalGhost("YES"), false, 5, 1},
		{"without a word", "", false, 5, 1},
		{"with masks, without a word", "", true, 8, 2},
	} {
		f, src := openCounting(t, largeCOG(test.ghost, test.masked), Config{})
		opening := src.taken()
		if len(opening) > test.reads {
			t.Errorf("%s: %d reads to open, want at most %d", test.name, len(opening), test.reads)
		}
		m := f.Images()[0]
		if got := len(m.Info().Levels); got != 7 {
			t.Fatalf("%s: %d levels, want 7", test.name, got)
		}
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, coverage := tiles[0].At(0, 200, 100); v != 7 || coverage != raster.Valid {
			t.Errorf("%s: got %v with coverage %d", test.name, v, coverage)
		}
		calls := src.taken()
		if len(calls) != 2 || len(calls[0]) != 2*test.parts || len(calls[1]) != test.parts {
			t.Errorf("%s: read %v, want the chunks of the indexes in one call and the stored blocks in another", test.name, calls)
		}
		var total int64
		for _, call := range opening {
			total += call[0].Length
		}
		t.Logf("%s: %d reads of %d bytes to open", test.name, len(opening), total)
	}
}

// TestMaskLiesBesideItsImage reads a layout in which a block and its mask are one read: the gap
// between them is smaller than what sources merge.
func TestMaskLiesBesideItsImage(t *testing.T) {
	img := tifftest.Image{
		Width: 512, Height: 512, Tiled: true, BlockWidth: 128, BlockHeight: 128, Samples: 3, Compression: tifftest.Deflate,
		Value: wave(8, tifftest.Unsigned),
	}
	mask := img
	mask.Samples, mask.Bits, mask.Subfile = 1, 1, tifftest.Mask
	mask.Value = func(x, y, _ int) float64 { return float64((x + y) % 2) }
	f, src := openCounting(t, tifftest.File{BigTIFF: true, COG: true, Ghost: gdalGhost("NO"), Images: []tifftest.Image{img, mask}}, Config{})
	src.taken()
	m := f.Images()[0]
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 2, Row: 1}}, nil); err != nil {
		t.Fatal(err)
	}
	calls := src.taken()
	if len(calls) != 1 || len(calls[0]) != 2 {
		t.Fatalf("read %v, want a block and its mask in one call", calls)
	}
	const frames = 2 * 4
	if gap := calls[0][1].Offset - calls[0][0].Offset - calls[0][0].Length; gap != frames {
		t.Errorf("%d bytes are between a block and its mask, want %d", gap, frames)
	}
}

// TestFramesAreNotBelieved changes the sizes written before the blocks. The directories must
// decide.
func TestFramesAreNotBelieved(t *testing.T) {
	img := tifftest.Image{
		Width: 256, Height: 256, Tiled: true, BlockWidth: 128, BlockHeight: 128, Compression: tifftest.LZW, Value: wave(8, tifftest.Unsigned),
	}
	data := encode(t, tifftest.File{COG: true, Ghost: gdalGhost("NO"), Images: []tifftest.Image{img}})
	d := openBytes(t, data).Images()[0].levels[0]
	for unit := range 4 {
		u, err := d.find(new(blockindex.Lookup), unit%2, unit/2, 0)
		if err != nil {
			t.Fatal(err)
		}
		copy(data[u.where.Offset-4:u.where.Offset], "\xff\xff\xff\x7f")
	}
	checkLevel(t, openBytes(t, data).Images()[0], 0, img.Value, 0)
}
