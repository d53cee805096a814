package pmtiles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/archive/pmtiles/directory"
	"tileserver/archive/pmtiles/records"
	"tileserver/archive/scratch"
)

// memory is a file in memory.
type memory struct {
	*scratch.File
	size int64
}

func newMemory() *memory { return &memory{scratch.New("", math.MaxInt64), 0} }

func (m *memory) Truncate(size int64) error { m.size = size; return m.Grow(size) }
func (m *memory) Finish(string) error       { return nil }
func (m *memory) Discard() error            { return nil }

// written returns the bytes of an archive of batches of tiles.
func written(t *testing.T, options Options, batches ...[]archive.Tile) []byte {
	t.Helper()
	var last *memory // to which tiles that are not sorted are copied
	options.ScratchFolder = os.TempDir()
	w, err := create("map.pmtiles", options, func(string) (file, error) {
		last = newMemory()
		return last, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	for _, batch := range batches {
		if err := w.Put(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, last.size)
	if _, err := last.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

func headerIn(t *testing.T, file []byte) directory.Header {
	t.Helper()
	h, err := directory.ParseHeader(file, uint64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var options = Options{Description: archive.Description{Name: "a", Format: archive.PNG}}

func TestTheSameTilesGiveTheSameBytesInAnyOrder(t *testing.T) {
	tiles := archivetest.Tiles(5000)
	want := written(t, options, tiles)
	random := rand.New(rand.NewPCG(1, 2))
	for _, memory := range []int64{1, 100_000, 1 << 30} {
		random.Shuffle(len(tiles), func(a, b int) { tiles[a], tiles[b] = tiles[b], tiles[a] })
		o := options
		o.MemoryBytes = memory
		if got := written(t, o, tiles[:2000], nil, tiles[2000:]); !bytes.Equal(got, want) {
			t.Errorf("memory %d: %d bytes, and not the %d of sorted tiles", memory, len(got), len(want))
		}
	}
}

func TestEqualTilesAreStoredOnce(t *testing.T) {
	same, other := []byte("the same"), []byte("another")
	var tiles []archive.Tile
	for number := range archive.FirstNumber(4) {
		position, _ := archive.PositionOf(number)
		content := same
		if number == 50 {
			content = other
		}
		tiles = append(tiles, archive.Tile{Position: position, Content: content})
	}
	h := headerIn(t, written(t, options, tiles))
	if h.Data.Length != uint64(len(same)+len(other)) || h.Contents != 2 || h.Tiles != 85 || !h.IsClustered {
		t.Errorf("got %+v", h)
	}
	// Zooms 0, 1 and 2 have one run each, and zoom 3 has one before the other tile and one behind it.
	if h.Entries != 6 {
		t.Errorf("%d entries", h.Entries)
	}
}

// gridTiles returns count tiles of a zoom in their order, whose contents differ.
func gridTiles(zoom uint8, count int) []archive.Tile {
	tiles := make([]archive.Tile, count)
	for i := range tiles {
		number := archive.FirstNumber(zoom) + 3*uint64(i)
		position, _ := archive.PositionOf(number)
		tiles[i] = archive.Tile{Position: position, Content: binary.AppendUvarint([]byte("tile"), number*number)}
	}
	return tiles
}

func TestManyTilesHaveLeafDirectories(t *testing.T) {
	for count, want := range map[int]bool{3000: false, 50_000: true} {
		tiles := gridTiles(12, count)
		file := written(t, options, tiles)
		h := headerIn(t, file)
		if hasLeaves := h.Leaves.Length > 0; hasLeaves != want {
			t.Errorf("%d tiles: %d bytes of leaves", count, h.Leaves.Length)
		}
		if h.Root.End() > directory.StartBytes || h.Data.Offset != directory.StartBytes || h.Leaves.End() != uint64(len(file)) {
			t.Errorf("%d tiles: got %+v of %d bytes", count, h, len(file))
		}
		a := openBytes(t, file)
		for _, tile := range []archive.Tile{tiles[0], tiles[count/2], tiles[count-1]} {
			if got, err := a.Tiles(t.Context(), []archive.Position{tile.Position}); err != nil || !bytes.Equal(got[0], tile.Content) {
				t.Errorf("%d tiles: tile %v is %q, %v", count, tile.Position, got, err)
			}
		}
	}
}

func TestLeavesGrowUntilTheRootFits(t *testing.T) {
	b := newBody(discard{}, Options{MemoryBytes: 1 << 30, ScratchFolder: t.TempDir()})
	random := rand.New(rand.NewPCG(1, 1))
	const entries = 20_000
	number := uint64(0)
	for range entries { // far apart, so that their numbers hardly compress
		number += 1 + random.Uint64N(archive.MaxNumber/entries-1)
		if err := b.note(records.Record{Number: number, Run: 1, Length: 1 + random.Uint32N(1e6)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.flush(); err != nil {
		t.Fatal(err)
	}
	h := directory.Header{}
	root, err := b.writeDirectories(t.Context(), &h, 2)
	if err != nil || len(root) > maxRootBytes || len(root) < maxRootBytes*2/3 {
		t.Errorf("a root of %d bytes, %v", len(root), err)
	}
	if _, err := b.writeDirectories(t.Context(), &h, directory.MaxEntries+1); err == nil {
		t.Error("leaves are too large, without an error")
	}
}

// discard is a file whose content nobody wants.
type discard struct{}

func (discard) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (discard) ReadAt([]byte, int64) (int, error)      { return 0, errors.ErrUnsupported }
func (discard) Truncate(int64) error                   { return nil }
func (discard) Finish(string) error                    { return nil }
func (discard) Discard() error                         { return nil }

func TestMemoryIsBoundedHoweverManyTilesThereAre(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many tiles")
	}
	const memoryBytes, tiles = 1 << 20, 150_000
	w, err := Create(filepath.Join(t.TempDir(), "map.pmtiles"), Options{MemoryBytes: memoryBytes})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	before, most := heapBytes(), uint64(0)
	for number := range uint64(tiles) {
		position, _ := archive.PositionOf(tiles + tiles - number) // backwards, so that all are sorted
		content := binary.LittleEndian.AppendUint64(nil, number)
		if err := w.Put(t.Context(), []archive.Tile{{Position: position, Content: content}}); err != nil {
			t.Fatal(err)
		}
		if number%10_000 == 0 {
			most = max(most, heapBytes())
		}
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most > before+memoryBytes*3/2+1<<20 {
		t.Errorf("%d tiles took %d bytes", tiles, most-before)
	}
}

func heapBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
