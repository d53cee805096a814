package tiff

import (
	"fmt"
	"strings"
	"testing"

	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
)

// TestBlocksOfStrips checks the blocks that strips form, and the description of how they are
// stored.
func TestBlocksOfStrips(t *testing.T) {
	strips := func(width, height, rows int, c tifftest.Compression) tifftest.Image {
		return tifftest.Image{Width: width, Height: height, BlockHeight: rows, Samples: 3, Compression: c, Value: wave(8, tifftest.Unsigned)}
	}
	sixteenBits := strips(9000, 20, 1, tifftest.LZW)
	sixteenBits.Bits = 16
	float := strips(9000, 8, 1, tifftest.LZW)
	float.Bits, float.Format, float.Predictor = 32, tifftest.Float, 3
	for _, test := range []struct {
		name                              string
		img                               tifftest.Image
		blockWidth, blockHeight, runWidth int
	}{
		{"narrow strips are bundled", strips(500, 300, 7, tifftest.Deflate), 500, 112, 0},
		{"all strips of a small image", strips(50, 23, 7, tifftest.Deflate), 50, 23, 0},
		{"strips of a good size are left", strips(500, 300, 150, tifftest.Deflate), 500, 150, 0},
		{"long rows are cut", strips(9000, 20, 1, tifftest.LZW), 4096, 16, 9000},
		{"with less rows of larger samples", sixteenBits, 4096, 8, 9000},
		{"but not if they are not long enough", strips(8000, 20, 1, tifftest.LZW), 8000, 8, 0},
		{"nor if a strip has more rows", strips(9000, 20, 2, tifftest.LZW), 9000, 8, 0},
		{"nor if the codec goes on to the end", strips(9000, 20, 1, tifftest.Deflate), 9000, 8, 0},
		{"nor if the bytes of samples lie apart", float, 9000, 2, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := open(t, tifftest.File{Images: []tifftest.Image{test.img}}).Images()[0]
			l := m.Info().Levels[0]
			if l.BlockWidth != test.blockWidth || l.BlockHeight != test.blockHeight || l.RunWidth != test.runWidth {
				t.Errorf("blocks of %dx%d in runs of %d, want %dx%d in runs of %d",
					l.BlockWidth, l.BlockHeight, l.RunWidth, test.blockWidth, test.blockHeight, test.runWidth)
			}
			if d := m.Description(); d.BlockWidth != test.img.Width || d.BlockHeight != test.img.BlockHeight {
				t.Errorf("strips are said to be %dx%d, want %dx%d", d.BlockWidth, d.BlockHeight, test.img.Width, test.img.BlockHeight)
			}
			checkLevel(t, m, 0, test.img.Value, 0)
		})
	}
}

// TestColumnsOfStrips reads single columns of long strips, for every kind of sample that can be
// split, interleaved by pixel and in planes.
func TestColumnsOfStrips(t *testing.T) {
	for _, kind := range sampleKinds() {
		for _, predictor := range []int{1, 2} {
			for _, planar := range []bool{false, true} {
				if predictor == 2 && kind.bits < 8 {
					continue
				}
				img := tifftest.Image{
					Width: 2*columnWidth + 77, Height: 5, BlockHeight: 1, Samples: 2, Bits: kind.bits, Format: kind.format, Planar: planar,
					Compression: tifftest.LZW, Predictor: predictor, Value: wave(kind.bits, kind.format),
				}
				t.Run(fmt.Sprintf("%d bits, format %d, predictor %d, planar %t", kind.bits, kind.format, predictor, planar), func(t *testing.T) {
					m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
					if m.Info().Levels[0].RunWidth == 0 {
						t.Fatal("the strips are not split")
					}
					checkLevel(t, m, 0, img.Value, 0)
					for col := range 3 {
						checkBlock(t, m, raster.BlockID{Col: col}, img.Value)
					}
				})
			}
		}
	}
}

// checkBlock compares the pixels of the bands of a block, requested in reverse order.
func checkBlock(t *testing.T, m *Image, id raster.BlockID, want func(x, y, band int) float64) {
	t.Helper()
	bands := []int{1, 0}
	tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{id}, bands)
	if err != nil {
		t.Fatal(err)
	}
	rect := m.Info().Levels[0].Block(id)
	for i, band := range bands {
		for y := range rect.Height() {
			for x := range rect.Width() {
				if got, _ := tiles[0].At(i, x, y); got != want(rect.X0+x, rect.Y0+y, band) {
					t.Fatalf("block %v, band %d, pixel %d,%d: got %v, want %v", id, band, x, y, got, want(rect.X0+x, rect.Y0+y, band))
				}
			}
		}
	}
}

// longStrips returns an image in strips of one row that are split into columns, with such a mask.
func longStrips(height int) (img, mask tifftest.Image) {
	img = tifftest.Image{
		Width: 3 * columnWidth, Height: height, BlockHeight: 1, Compression: tifftest.LZW, Samples: 3, Predictor: 2,
		Value: wave(8, tifftest.Unsigned),
	}
	mask = tifftest.Image{
		Width: img.Width, Height: height, BlockHeight: 1, Compression: tifftest.LZW, Bits: 1, Subfile: tifftest.Mask,
		Value: func(x, y, _ int) float64 { return float64((x/3 + y) % 2) },
	}
	return img, mask
}

func TestMaskOfLongStrips(t *testing.T) {
	img, mask := longStrips(40)
	m := open(t, tifftest.File{Images: []tifftest.Image{img, mask}}).Images()[0]
	l := m.Info().Levels[0]
	ids := l.Covering(l.Bounds())
	tiles, err := m.Blocks(t.Context(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, tile := range tiles {
		rect := l.Block(ids[i])
		for y := range rect.Height() {
			for x := range rect.Width() {
				got, coverage := tile.At(1, x, y)
				want, valid := img.Value(rect.X0+x, rect.Y0+y, 1), mask.Value(rect.X0+x, rect.Y0+y, 0) != 0
				if got != want || (coverage == raster.Valid) != valid {
					t.Fatalf("pixel %d,%d of block %v: got %v with coverage %d, want %v, valid: %t", x, y, ids[i], got, coverage, want, valid)
				}
			}
		}
	}
}

// TestStripsAreReadOnce checks that no strip is read needlessly, and none is read or decoded twice
// for two blocks of a call.
func TestStripsAreReadOnce(t *testing.T) {
	img, mask := longStrips(40)
	pool := testPool()
	f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{img, mask}}, Config{Pool: pool})
	m := f.Images()[0]
	l := m.Info().Levels[0]
	src.taken()
	ids := l.Covering(raster.Rect{X0: columnWidth - 5, Y0: 18, X1: columnWidth + 5, Y1: 30})
	if len(ids) != 2 {
		t.Fatalf("blocks %v, want two beside each other", ids)
	}
	if _, err := m.Blocks(t.Context(), 0, ids, nil); err != nil {
		t.Fatal(err)
	}
	pixelStrips := int64(l.BlockHeight)
	maskStrips := int64(m.masks[0].blockHeight)
	calls := src.taken()
	if len(calls) != 1 || int64(len(calls[0])) != pixelStrips+maskStrips {
		t.Errorf("read %d times, %d ranges the first time; want %d ranges in one call", len(calls), len(calls[0]), pixelStrips+maskStrips)
	}
	if got, want := pool.Stats().Decoded, pixelStrips+maskStrips; got != want {
		t.Errorf("%d strips were decoded, want %d: each once", got, want)
	}
}

// TestDamageRightOfWhatIsWanted corrupts a strip after its first column. That column must still be
// read, and the others must not be made up.
func TestDamageRightOfWhatIsWanted(t *testing.T) {
	img, _ := longStrips(4)
	data := encode(t, tifftest.File{Images: []tifftest.Image{img}})
	u, err := openBytes(t, data).Images()[0].levels[0].find(new(blockindex.Lookup), 0, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := u.where.Length * 2 / 3; i < u.where.Length; i++ {
		data[u.where.Offset+i] = 0xff // LZW codes that are not in the table yet
	}
	m := openBytes(t, data).Images()[0]
	checkBlock(t, m, raster.BlockID{}, img.Value)
	for _, ids := range [][]raster.BlockID{{{Col: 2}}, {{}, {Col: 2}}} {
		tiles, err := m.Blocks(t.Context(), 0, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := tiles[len(tiles)-1]
		if got, want := fmt.Sprint(last.Damage().Losses()), "[{block block 0,2 of directory 1: "; !strings.HasPrefix(got, want) || last.Damage().IsTotal() {
			t.Errorf("blocks %v: lost %v, want %s", ids, got, want)
		}
		for y := range last.Height() {
			want := img.Value(2*columnWidth+1, y, 0)
			if y == 2 {
				want = 0
			}
			if got, coverage := last.At(0, 1, y); got != want || (coverage == raster.Invalid) != (y == 2) {
				t.Errorf("blocks %v, row %d: got %v with coverage %d, want %v", ids, y, got, coverage, want)
			}
		}
		if len(tiles) > 1 && !tiles[0].Damage().IsZero() {
			t.Errorf("blocks %v: lost left of the damage: %v", ids, tiles[0].Damage().Losses())
		}
	}
}

// TestStripsThatAreNotStored reads blocks some of whose strips are not stored.
func TestStripsThatAreNotStored(t *testing.T) {
	for _, planar := range []bool{false, true} {
		img := tifftest.Image{
			Width: 40, Height: 64, BlockHeight: 3, Samples: 2, Compression: tifftest.Deflate, Planar: planar, NoData: "9",
			Value:  func(x, y, band int) float64 { return float64(10 + x + y + band) },
			Sparse: func(_, row int) bool { return row%3 == 1 },
		}
		m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for y := range tiles[0].Height() {
			stored := y/3%3 != 1
			for band := range 2 {
				want := 9.0
				if stored {
					want = img.Value(7, y, band)
				}
				if got, coverage := tiles[0].At(band, 7, y); got != want || (coverage == raster.Valid) != stored {
					t.Errorf("planar %t, band %d, row %d: got %v with coverage %d, want %v, stored: %t", planar, band, y, got, coverage, want, stored)
				}
			}
		}
	}
}
