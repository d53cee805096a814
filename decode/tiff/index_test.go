package tiff

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/pool"
	"tileserver/decode/tiff/blockindex"
	"tileserver/decode/tiff/tifftest"
	"tileserver/raster"
	"tileserver/source"
)

// TestIndexIsReadInChunks counts what is read of an index of half a megabyte.
func TestIndexIsReadInChunks(t *testing.T) {
	img := manyBlocks()
	img.Height = 6400 // 200 x 400 blocks
	img.Sparse = func(column, row int) bool { return column != 100 }
	mask := img
	mask.Bits, mask.Subfile = 1, tifftest.Mask
	f, src := openCounting(t, tifftest.File{BigTIFF: true, Images: []tifftest.Image{img, mask}}, Config{})
	m := f.Images()[0]
	src.taken()
	for _, test := range []struct {
		name         string
		ids          []raster.BlockID
		pieces, size int64 // of the index
	}{
		{"a block", []raster.BlockID{{Col: 100}}, 4, blockindex.ChunkBytes},
		{"one beside it", []raster.BlockID{{Col: 100, Row: 1}}, 0, 0},
		{"far ones", []raster.BlockID{{Col: 100, Row: 200}, {Col: 100, Row: 300}, {Col: 100, Row: 301}}, 8, blockindex.ChunkBytes},
		{"the last one", []raster.BlockID{{Col: 100, Row: 399}}, 4, 80_000 * 8 % blockindex.ChunkBytes},
		{"one that is not stored", []raster.BlockID{{Col: 7, Row: 399}}, 0, 0},
	} {
		if _, err := m.Blocks(t.Context(), 0, test.ids, nil); err != nil {
			t.Fatal(err)
		}
		calls := src.taken()
		if test.pieces == 0 {
			if len(calls) > 1 {
				t.Errorf("%s took the reads %v, want those of pixels alone", test.name, calls)
			}
			continue
		}
		if len(calls) != 2 || int64(len(calls[0])) != test.pieces {
			t.Fatalf("%s took the reads %v, want one of %d chunks of the index and one of pixels", test.name, calls, test.pieces)
		}
		for _, r := range calls[0] {
			if r.Length != test.size {
				t.Errorf("%s: a chunk of %d bytes, want %d", test.name, r.Length, test.size)
			}
		}
	}
}

// TestIndexesShareABudget reads two files twice while the cache has room for one of their indexes.
func TestIndexesShareABudget(t *testing.T) {
	const pieces = 2 * 200 * 200 * 4 / blockindex.ChunkBytes // of the offsets and sizes of a file, except the last ones
	const maxBytes = 2 * pieces * blockindex.ChunkBytes      // a fourth of it is not for chunks
	shared := NewShared(maxBytes)
	img := manyBlocks()
	img.Height, img.Sparse = 3200, func(column, _ int) bool { return column > 0 }
	var files []*File
	var sources []*countingSource
	for range 2 {
		f, src := openCounting(t, tifftest.File{Images: []tifftest.Image{img}}, Config{Shared: shared})
		src.taken()
		files, sources = append(files, f), append(sources, src)
	}
	again := 0
	for walk := range 2 {
		for i, f := range files {
			for row := range 200 {
				if _, err := f.Images()[0].Blocks(t.Context(), 0, []raster.BlockID{{Row: row}}, nil); err != nil {
					t.Fatal(err)
				}
				if got := shared.Stats().Bytes; got == 0 || got > maxBytes {
					t.Fatalf("%d bytes are cached, want at most %d", got, maxBytes)
				}
			}
			if reads := len(sources[i].taken()); walk == 1 {
				again += reads - 200 // of pixels
			}
		}
	}
	if again == 0 {
		t.Error("nothing of the indexes was read again, so both are cached completely")
	}
}

// TestNothingIsCached reads an image and its mask while every chunk of the index is evicted before
// its next use.
func TestNothingIsCached(t *testing.T) {
	img := manyBlocks()
	img.Sparse, img.Value = nil, wave(8, tifftest.Unsigned)
	mask := img
	mask.Bits, mask.Subfile = 1, tifftest.Mask
	mask.Value = func(x, y, _ int) float64 { return float64(1 - (x/16+y/16)%3/2) }
	f, _ := openCounting(t, tifftest.File{Images: []tifftest.Image{img, mask}}, Config{Shared: NewShared(0)})
	m := f.Images()[0]
	l := m.Info().Levels[0]
	for _, rect := range []raster.Rect{{X1: 300, Y1: l.Height}, {X0: 1000, X1: l.Width, Y1: 50}} {
		ids := l.Covering(rect)
		tiles, err := m.Blocks(t.Context(), 0, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tile := range tiles {
			x, y := ids[i].Col*16+3, ids[i].Row*16+5
			got, coverage := tile.At(0, 3, 5)
			if want, valid := img.Value(x, y, 0), mask.Value(x, y, 0) != 0; got != want || (coverage == raster.Valid) != valid {
				t.Fatalf("pixel %d,%d: got %v with coverage %d, want %v, valid: %t", x, y, got, coverage, want, valid)
			}
		}
	}
}

// TestUnitsThatAreTooLong reads units whose sizes are not read at opening.
func TestUnitsThatAreTooLong(t *testing.T) {
	img := manyBlocks()
	img.Sparse = nil
	random := rand.New(rand.NewPCG(1, 2))
	img.Value = func(x, y, _ int) float64 {
		if x < 16 && y < 16 {
			return float64(random.IntN(256)) // packing makes it longer
		}
		return 7
	}
	const blockBytes = 16 * 16
	f, _ := openCounting(t, tifftest.File{Images: []tifftest.Image{img}}, Config{Limits: Limits{StoredBytes: blockBytes}})
	m := f.Images()[0]
	if err := m.Unsupported(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil); !errors.Is(err, ErrLimit) {
		t.Errorf("a block of noise: got %v, want %v", err, ErrLimit)
	}
	if _, err := m.Blocks(t.Context(), 0, []raster.BlockID{{Col: 1}}, nil); err != nil {
		t.Errorf("the one beside it: %v", err)
	}
}

// TestOnlyStripOfNoSize reads a file whose writer omits the size of the only strip.
func TestOnlyStripOfNoSize(t *testing.T) {
	const byteCounts = 279
	for _, c := range []tifftest.Compression{tifftest.None, tifftest.PackBits} {
		img := flat(40, 30, 7)
		img.Compression, img.Tags = c, []tifftest.Tag{{ID: byteCounts, Value: []uint32{0}}}
		checkLevel(t, open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0], 0, img.Value, 0)
	}
}

// TestNoSizes reads files that lack the sizes of their blocks.
func TestNoSizes(t *testing.T) {
	const stripSizes, tileSizes = 279, 325
	layouts := map[string]tifftest.Image{
		"one strip": {}, "strips": {BlockHeight: 16}, "strips of bands": {BlockHeight: 16, Samples: 2, Planar: true},
		"one tile": {Tiled: true, BlockWidth: 96, BlockHeight: 80}, "tiles": {Tiled: true, BlockWidth: 32, BlockHeight: 16},
	}
	for _, c := range []tifftest.Compression{tifftest.None, tifftest.PackBits, tifftest.LZW, tifftest.Deflate, tifftest.ZSTD} {
		for name, img := range layouts {
			img.Width, img.Height, img.Compression, img.Value = 90, 75, c, wave(8, tifftest.Unsigned)
			img.Tags = []tifftest.Tag{{ID: stripSizes}, {ID: tileSizes}}
			for _, file := range []tifftest.File{{Images: []tifftest.Image{img}}, {COG: true, Images: []tifftest.Image{img, flat(9, 9, 1)}}} {
				m := open(t, file).Images()[0]
				l := m.Info().Levels[0]
				tiles, err := m.Blocks(t.Context(), 0, l.Covering(l.Bounds()), nil)
				if err == nil {
					err = damageOf(tiles)
				}
				if err != nil {
					t.Errorf("%s of compression %d, COG %t: %v", name, c, file.COG, err)
					continue
				}
				checkLevel(t, m, 0, img.Value, 0)
				want := "the file does not say how large its blocks are; their sizes are estimated"
				if notes := m.Description().Notes; !slices.Equal(notes, []string{want}) {
					t.Errorf("%s of compression %d: notes %q, want %q", name, c, notes, want)
				}
			}
		}
	}
}

// A JPEG without its size is decoded, and what a cut file has of it.
func TestNoSizesOfJPEG(t *testing.T) {
	img := tifftest.Image{Width: 117, Height: 201, BlockHeight: 104, Value: wave(8, tifftest.Unsigned), Compression: tifftest.JPEGBlocks, JPEG: tifftest.JPEG{InlineTables: true}}
	want, err := planesOf(t, open(t, tifftest.File{Images: []tifftest.Image{img}}).Images()[0], 0)
	if err != nil {
		t.Fatal(err)
	}
	img.Tags = []tifftest.Tag{{ID: 279}}
	data := encode(t, tifftest.File{COG: true, Images: []tifftest.Image{img}})
	if got, err := planesOf(t, openBytes(t, data).Images()[0], 0); err != nil || !slices.Equal(got[0], want[0]) {
		t.Errorf("other pixels, or %v", err)
	}
	cut := openBytes(t, data[:len(data)*9/10]).Images()[0]
	tiles, err := cut.Blocks(t.Context(), 0, []raster.BlockID{{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := tiles[0].Damage(); d.IsZero() || d.IsTotal() || !strings.HasSuffix(d.Losses()[0].Text, "truncated data") {
		t.Errorf("of a cut file is lost: %v", d.Losses())
	}
}

// BenchmarkLookup looks up units in a large cached index: those of a window, as a map requests
// them, and scattered ones.
func BenchmarkLookup(b *testing.B) {
	img := manyBlocks()
	img.Width, img.Height = 5120, 5120 // 102,400 blocks
	img.Sparse = func(column, row int) bool { return row > 0 || column > 0 }
	data := encode(b, tifftest.File{BigTIFF: true, Images: []tifftest.Image{img}})
	// Without a block in each, the chunks would be recorded as zeros.
	for at := len(data) - 2*8*102_400; at < len(data); at += 8 {
		data[at]++
	}
	pool := pool.New(pool.Config{Workers: 1})
	f, err := Open(b.Context(), source.NewBytes("bench", data), Config{Pool: pool, Shared: NewShared(32 << 20)})
	if err != nil {
		b.Fatal(err)
	}
	d := f.Images()[0].levels[0]
	random := rand.New(rand.NewPCG(1, 2))
	everywhere := make([]raster.BlockID, 1024)
	for i := range everywhere {
		everywhere[i] = raster.BlockID{Col: random.IntN(d.columns()), Row: random.IntN(d.rows())}
	}
	for _, test := range []struct {
		name string
		ids  []raster.BlockID
	}{
		{"window", d.ownLevel().Covering(raster.Rect{X0: 1600, Y0: 1600, X1: 1728, Y1: 1728})},
		{"scattered", everywhere},
	} {
		b.Run(test.name, func(b *testing.B) {
			warm := new(blockindex.Lookup)
			for range 2 {
				for _, id := range test.ids {
					if _, err := d.find(warm, id.Col, id.Row, 0); err != nil {
						b.Fatal(err)
					}
				}
				if err := warm.Load(b.Context(), warm.Missing()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				var l blockindex.Lookup
				for _, id := range test.ids {
					if _, err := d.find(&l, id.Col, id.Row, 0); err != nil || l.Missing() > 0 {
						b.Fatal(err, l.Missing())
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(test.ids)), "ns/block")
		})
	}
}
