package tiff

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// unitAt returns where a unit of the finest level, or of its mask, lies in a file.
func unitAt(t *testing.T, data []byte, ofMask bool, col, row, plane int) source.Range {
	t.Helper()
	m := openBytes(t, data).Images()[0]
	dir := m.levels[0]
	if ofMask {
		dir = m.masks[0]
	}
	unit, err := dir.find(new(blockindex.Lookup), col, row, plane)
	if err != nil || !unit.ok {
		t.Fatal(unit, err)
	}
	return unit.where
}

// corrupted returns a copy of data with the bytes in where changed.
func corrupted(data []byte, where source.Range) []byte {
	data = slices.Clone(data)
	for i := range where.Length {
		data[where.Offset+i] ^= 0x55
	}
	return data
}

// TestDamagedBlock corrupts one stored block. It must become nodata without affecting others, and
// be reported once for many requests.
func TestDamagedBlock(t *testing.T) {
	data := encode(t, tifftest.File{Images: scene(true)})
	data = corrupted(data, unitAt(t, data, false, 2, 1, 0))
	var warned []string
	f, err := Open(t.Context(), source.NewBytes("test", data), Config{Pool: testPool(), Warn: func(note string) { warned = append(warned, note) }})
	if err != nil {
		t.Fatal(err)
	}
	ids := []raster.BlockID{{Col: 1, Row: 1}, {Col: 2, Row: 1}, {Col: 3, Row: 1}}
	var tiles []raster.Tile
	for range 3 {
		if tiles, err = f.Images()[0].Blocks(t.Context(), 0, ids, nil); err != nil {
			t.Fatal(err)
		}
	}
	d := tiles[1].Damage()
	if !d.IsTotal() || d.String() != "1 block" || !strings.HasPrefix(d.Losses()[0].Text, "block 2,1 of directory 1: ") || tiles[1].AnyValid() {
		t.Errorf("lost %v %v, total: %t, valid pixels: %t", d, d.Losses(), d.IsTotal(), tiles[1].AnyValid())
	}
	if slices.ContainsFunc(tiles[1].Plane(0), func(v byte) bool { return v != 0 }) {
		t.Error("pixels of the damaged block are not 0")
	}
	sound, err := open(t, tifftest.File{Images: scene(true)}).Images()[0].Blocks(t.Context(), 0, ids, nil)
	if err != nil || !tiles[0].SamePixels(sound[0]) || !tiles[2].SamePixels(sound[2]) || damageOf([]raster.Tile{tiles[0], tiles[2]}) != nil {
		t.Errorf("the blocks beside it have changed, or %v", err)
	}
	if len(warned) != 1 || warned[0] != d.Losses()[0].Text {
		t.Errorf("warned of %q, want of the block once", warned)
	}
}

// TestTruncatedFile cuts files off within their pixels. Pixels before the end must be correct, and
// those after it must have the nodata value.
func TestTruncatedFile(t *testing.T) {
	value := func(x, y, band int) float64 { return float64(1 + x + y%5000 + 50*band) }
	for _, test := range []struct {
		name string
		img  tifftest.Image
		says string
	}{
		{"one strip", tifftest.Image{Width: 5, Height: 120_000, BlockHeight: 120_000, Bits: 16}, "ends before it"},
		{"strips", tifftest.Image{Width: 31, Height: 77, BlockHeight: 3, Compression: tifftest.LZW, Bits: 16}, "of a file of"},
		{"strips of bands", tifftest.Image{Width: 31, Height: 77, BlockHeight: 3, Samples: 2, Planar: true, Bits: 16}, "of band 2"},
		{"tiles", tifftest.Image{Width: 90, Height: 77, BlockWidth: 32, BlockHeight: 16, Tiled: true, Compression: tifftest.Deflate, Bits: 16}, "of a file of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.img.Value, test.img.NoData = value, "9999"
			data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{test.img}})
			m := openBytes(t, data[:len(data)*3/4]).Images()[0]
			checkWhatIsLeft(t, m, value, test.says)
		})
	}
}

// checkWhatIsLeft checks that pixels are correct or nodata, and that damage is reported for the
// latter.
func checkWhatIsLeft(t *testing.T, m *Image, value func(x, y, band int) float64, says string) {
	t.Helper()
	l, left, lost := m.Info().Levels[0], 0, 0
	for _, id := range l.Covering(l.Bounds()) {
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{id}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tile, block, before := tiles[0], l.Block(id), lost
		for band := range tile.Bands() {
			for y := range block.Height() {
				switch got, coverage := tile.At(band, block.Width()/2, y); {
				case coverage == raster.Invalid && got == 9999:
					lost++
				case got == value(block.X0+block.Width()/2, block.Y0+y, band) && coverage == raster.Valid:
					left++
				default:
					t.Fatalf("block %v, band %d, row %d: got %v with coverage %d", id, band, y, got, coverage)
				}
			}
		}
		d := tile.Damage()
		if (lost > before) == d.IsZero() || d.IsTotal() != !tile.AnyValid() || !d.IsZero() && !strings.Contains(d.Losses()[0].Text, says) {
			t.Errorf("block %v: lost %v, total: %t, want %q", id, d.Losses(), d.IsTotal(), says)
		}
	}
	if left <= lost || lost == 0 {
		t.Errorf("%d pixels are valid, %d lost, want most valid and some lost", left, lost)
	}
}

// TestLostMaskBlocksHide corrupts a block of a mask. The pixels under it must be hidden.
func TestLostMaskBlocksHide(t *testing.T) {
	full, mask := flat(96, 64, 7), flat(96, 64, 1)
	full.Tiled, full.BlockWidth, full.BlockHeight = true, 48, 32
	mask.Tiled, mask.BlockWidth, mask.BlockHeight = true, 32, 64
	mask.Subfile, mask.Bits, mask.Compression = tifftest.Mask, 1, tifftest.Deflate
	data := encode(t, tifftest.File{Images: []tifftest.Image{full, mask}})
	m := openBytes(t, corrupted(data, unitAt(t, data, true, 2, 0, 0))).Images()[0]
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}, {Col: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !tiles[0].AllValid() || !tiles[0].Damage().IsZero() {
		t.Errorf("a block beside it lost %v", tiles[0].Damage().Losses())
	}
	d := tiles[1].Damage()
	_, left := tiles[1].At(0, 15, 3)
	_, right := tiles[1].At(0, 16, 3)
	if d.String() != "1 mask block" || d.IsTotal() || left != raster.Valid || right != raster.Invalid {
		t.Errorf("lost %v, coverage %d and %d, want a mask block and %d and %d", d.Losses(), left, right, raster.Valid, raster.Invalid)
	}
}

// TestDamagedBlocksAreNoStoredPictures requests damaged blocks as stored pictures.
func TestDamagedBlocksAreNoStoredPictures(t *testing.T) {
	full := tiledJPEG(nil)
	mask := maskOf(full, func(_, _, _ int) float64 { return 1 })
	mask.BlockWidth, mask.BlockHeight, mask.Compression = 32, 32, tifftest.Deflate
	data := encode(t, tifftest.File{Images: []tifftest.Image{full, mask}})
	stored := func(data []byte) (ok bool) {
		m := openBytes(t, data).Images()[0]
		_, ok, err := m.StoredPicture(t.Context(), 0, m.Info().Levels[0].Block(raster.BlockID{Col: 1}))
		if err != nil {
			t.Error(err)
		}
		return ok
	}
	lostMask := corrupted(data, unitAt(t, data, true, 1, 0, 0))
	if !stored(data) || stored(lostMask) {
		t.Errorf("stored: %t, with a lost mask: %t", stored(data), stored(lostMask))
	}
	only := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{full}})
	end := unitAt(t, only, false, 1, 0, 0)
	if !stored(only) || stored(only[:end.Offset+end.Length-1]) {
		t.Error("a block that is cut off is returned as a stored picture")
	}
}

// TestFileThatGrows opens a file while it is being written. Blocks that are missing must not stay
// lost once the file has them.
func TestFileThatGrows(t *testing.T) {
	data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{{Width: 31, Height: 77, BlockHeight: 77, Compression: tifftest.LZW, Value: wave(8, tifftest.Unsigned)}}})
	src := &countingSource{Source: source.NewBytes("test", data[:len(data)-9])}
	f, err := Open(t.Context(), src, Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	blocks := func() error {
		tiles, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			return err
		}
		return damageOf(tiles)
	}
	if lost := new(damagedError); !errors.As(blocks(), &lost) {
		t.Fatal("no loss in a file that is cut off")
	}
	src.fail = source.ErrChanged
	if err := blocks(); !errors.Is(err, raster.ErrChanged) {
		t.Errorf("got %v, want %v", err, raster.ErrChanged)
	}
}
