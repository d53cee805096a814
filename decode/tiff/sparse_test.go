package tiff

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source/local"
)

// TestEmpty compares what the index says of rectangles with what is stored under them. It uses
// images whose index is cached, read in chunks, or of one strip.
func TestEmpty(t *testing.T) {
	base := tifftest.Image{
		Width: 3000, Height: 2100, Tiled: true, BlockWidth: 16, BlockHeight: 16, Compression: tifftest.PackBits,
		Value:  func(int, int, int) float64 { return 1 },
		Sparse: func(column, row int) bool { return row < 40 || column < 60 && row > 70 || (column+row)%7 != 0 },
	}
	planar := base
	planar.Width, planar.Height, planar.Samples, planar.Planar = 900, 900, 2, true
	strips := tifftest.Image{Width: 50, Height: 500, BlockHeight: 3, Compression: tifftest.LZW, Value: base.Value,
		Sparse: func(_, row int) bool { return row%40 < 30 }}
	for name, img := range map[string]tifftest.Image{"large": base, "planar": planar, "strips": strips} {
		for _, big := range []bool{false, true} {
			m := open(t, tifftest.File{BigTIFF: big, Images: []tifftest.Image{img}}).Images()[0]
			d := m.levels[0]
			random := rand.New(rand.NewPCG(5, 6))
			counts := map[bool]int{}
			for range 400 {
				x, y := random.IntN(img.Width), random.IntN(img.Height)
				rect := raster.Rect{X0: x - 20, Y0: y - 9, X1: x + 1 + random.IntN(1+img.Width/4), Y1: y + 1 + random.IntN(1+img.Height/3)}
				inside := rect.Intersect(raster.Rect{X1: img.Width, Y1: img.Height})
				want := true
				for row := inside.Y0 / d.unitHeight; row <= (inside.Y1-1)/d.unitHeight; row++ {
					for col := inside.X0 / d.unitWidth; col <= (inside.X1-1)/d.unitWidth; col++ {
						want = want && img.Sparse(col, row)
					}
				}
				got, err := m.Empty(t.Context(), 0, rect)
				if err != nil || got != want {
					t.Fatalf("%s, big %t, %+v: empty %t, %v; want %t", name, big, rect, got, err, want)
				}
				counts[want]++
			}
			if counts[true] == 0 || counts[false] == 0 {
				t.Errorf("%s: all rectangles gave the same result: %v", name, counts)
			}
		}
	}
}

func TestEmptyOutsideOfTheLevels(t *testing.T) {
	m := open(t, tifftest.File{Images: []tifftest.Image{flat(40, 30, 7)}}).Images()[0]
	if _, err := m.Empty(t.Context(), 1, raster.Rect{X1: 1, Y1: 1}); err == nil {
		t.Error("no error for a level that does not exist")
	}
	if empty, err := m.Empty(t.Context(), 0, raster.Rect{X0: 50, X1: 60, Y1: 10}); err != nil || !empty {
		t.Errorf("right of the image: empty %t, %v", empty, err)
	}
}

// sparseSide is the side of an image of which nearly nothing is stored.
const sparseSide = 400_000

// sparseWorld returns an image of 610,000 tiles, one of which is stored.
func sparseWorld() tifftest.File {
	return tifftest.File{BigTIFF: true, Images: []tifftest.Image{{
		Width: sparseSide, Height: sparseSide, Tiled: true, BlockWidth: 512, BlockHeight: 512, Samples: 3,
		Compression: tifftest.Deflate, Value: func(int, int, int) float64 { return 200 },
		Sparse: func(column, row int) bool { return column != 400 || row != 500 },
	}}}
}

// TestSparseWorld reads a file of 160 gigapixels with a single tile from disk, where the rest of
// its index is a hole.
func TestSparseWorld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.tif")
	writeSparsely(t, path, encode(t, sparseWorld()))
	file, err := local.Store{}.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	src := &countingSource{Source: file}
	f, err := Open(t.Context(), src, Config{Pool: testPool()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := f.Images()[0]
	if n := len(src.taken()); n > 2 {
		t.Errorf("opening took %d reads", n)
	}
	l := m.Info().Levels[0]
	stored := raster.BlockID{Col: 400, Row: 500}
	ask := func(rect raster.Rect, want bool) {
		t.Helper()
		if got, err := m.Empty(t.Context(), 0, rect); err != nil || got != want {
			t.Errorf("%+v is empty: %t, %v; want %t", rect, got, err, want)
		}
	}
	ask(l.Bounds(), false)
	ask(raster.Rect{X1: sparseSide, Y1: 500 * 512}, true)
	ask(raster.Rect{X1: 400 * 512, Y1: sparseSide}, true)
	ask(l.Block(stored), false)
	if n := len(src.taken()); n > 20 {
		t.Errorf("Empty took %d reads", n)
	}
	ask(raster.Rect{X0: 401 * 512, X1: sparseSide, Y1: sparseSide}, true)
	ask(raster.Rect{Y0: 501 * 512, X1: sparseSide, Y1: sparseSide}, true)
	src.taken()
	ask(l.Bounds(), false)
	ask(raster.Rect{X1: 400 * 512, Y1: sparseSide}, true)
	ids := l.Covering(raster.Rect{X1: 20 * 512, Y1: 20 * 512})
	tiles, err := m.Blocks(t.Context(), 0, ids, nil)
	if err != nil {
		t.Fatal(err)
	}
	if calls := src.taken(); len(calls) > 1 {
		t.Errorf("a known empty area took the reads %v", calls)
	}
	checkEmptyTiles(t, tiles, 512)
	tile, err := m.Blocks(t.Context(), 0, []raster.BlockID{stored}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, coverage := tile[0].At(2, 511, 0); v != 200 || coverage != raster.Valid {
		t.Errorf("the stored tile has %v with coverage %d", v, coverage)
	}
}

// checkEmptyTiles checks that empty tiles are one shared tile.
func checkEmptyTiles(t *testing.T, tiles []raster.Tile, side int) {
	t.Helper()
	var size int64
	for _, tile := range tiles {
		size += tile.Size()
		if tile.Width() != side || tile.Height() != side || &tile.Plane(0)[0] != &tiles[0].Plane(0)[0] {
			t.Fatal("an empty tile that is not shared or has the wrong size")
		}
	}
	if v, coverage := tiles[0].At(1, 5, 7); v != 0 || coverage != raster.Invalid {
		t.Errorf("an empty tile has %v with coverage %d", v, coverage)
	}
	if most := int64(len(tiles)) * 1000; size > most {
		t.Errorf("%d empty tiles count as %d bytes, want at most %d", len(tiles), size, most)
	}
}

// writeSparsely writes a file with holes in place of its zeros.
func writeSparsely(t *testing.T, path string, data []byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(int64(len(data))); err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for at := 0; at < len(data); at += page {
		part := data[at:min(at+page, len(data))]
		if len(bytes.Trim(part, "\x00")) == 0 {
			continue
		}
		if _, err := f.WriteAt(part, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEmptyTilesOfEachLooks checks what distinguishes empty tiles.
func TestEmptyTilesOfEachLooks(t *testing.T) {
	img := flat(100, 90, 5)
	img.Samples, img.Tiled, img.BlockWidth, img.BlockHeight, img.NoData = 2, true, 64, 64, "7"
	img.Sparse = func(column, row int) bool { return true }
	m := open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0]
	for _, test := range []struct {
		id            raster.BlockID
		bands         []int
		width, height int
	}{
		{raster.BlockID{}, nil, 64, 64},
		{raster.BlockID{Col: 1, Row: 1}, nil, 36, 26},
		{raster.BlockID{}, []int{1}, 64, 64},
		{raster.BlockID{}, []int{0, 1, 0}, 64, 64},
	} {
		tiles, err := m.Blocks(t.Context(), 0, []raster.BlockID{test.id}, test.bands)
		if err != nil {
			t.Fatal(err)
		}
		bands := len(test.bands)
		if test.bands == nil {
			bands = 2
		}
		tile := tiles[0]
		if tile.Width() != test.width || tile.Height() != test.height || tile.Bands() != bands {
			t.Errorf("%+v: got %dx%d with %d bands", test, tile.Width(), tile.Height(), tile.Bands())
		}
		if v, coverage := tile.At(bands-1, 3, 4); v != 7 || coverage != raster.Invalid {
			t.Errorf("%+v: got %v with coverage %d, want nodata, which is 7", test, v, coverage)
		}
	}
}

// TestRoomForEmptyTiles fills the room for shared empty tiles. Further ones must count their full
// size.
func TestRoomForEmptyTiles(t *testing.T) {
	shared := NewShared(4 * 6000)
	size := func(width int) int64 {
		return shared.empty(emptyKey{raster.Uint8, width, 10, ""}, func() raster.Tile {
			return raster.NewBuffer(raster.Uint8, width, 10, 1).Freeze()
		}).Size()
	}
	if got := size(500); got > 1000 {
		t.Errorf("the first counts as %d bytes, want those of a reference", got)
	}
	if got := size(501); got < 5000 {
		t.Errorf("a tile without room counts as %d bytes", got)
	}
	if got := size(500); got > 1000 {
		t.Errorf("the first, again, counts as %d bytes", got)
	}
}

func BenchmarkEmpty(b *testing.B) {
	m := open(b, sparseWorld()).Images()[0]
	for name, rect := range map[string]raster.Rect{
		"the half without": {X1: sparseSide, Y1: 500 * 512},
		"columns without":  {X1: 400 * 512, Y1: sparseSide},
		"all":              {X1: sparseSide, Y1: sparseSide},
		"a tile":           {X0: 2000, Y0: 3000, X1: 2512, Y1: 3512},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Empty(b.Context(), 0, rect); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
