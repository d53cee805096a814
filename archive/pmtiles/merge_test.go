package pmtiles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/source"
)

// counted are shards in memory that count what is open.
type counted struct {
	files              [][]byte
	open, most, opened int
}

func (c *counted) shards() Shards {
	return Shards{Count: len(c.files), Open: func(_ context.Context, shard int) (source.Source, error) {
		c.open, c.opened = c.open+1, c.opened+1
		c.most = max(c.most, c.open)
		return &countedSource{source.NewBytes(fmt.Sprintf("shard %d", shard), c.files[shard]), c}, nil
	}}
}

type countedSource struct {
	*source.Bytes
	of *counted
}

func (s *countedSource) Close() error {
	s.of.open--
	return nil
}

// merged returns the bytes of the archive that shards are merged to.
func merged(t *testing.T, o Options, shards *counted) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.pmtiles")
	w, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if err := errors.Join(w.Merge(t.Context(), shards.shards()), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	if shards.open != 0 || shards.most > maxOpen {
		t.Errorf("%d shards are open, and %d were at most", shards.open, shards.most)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// divided returns an archive for each group of tiles.
func divided(t *testing.T, tiles []archive.Tile, shards int, shardOf func(archive.Position) int) *counted {
	t.Helper()
	groups := make([][]archive.Tile, shards)
	for _, tile := range tiles {
		shard := shardOf(tile.Position)
		groups[shard] = append(groups[shard], tile)
	}
	c := new(counted)
	for _, group := range groups {
		c.files = append(c.files, written(t, options, group))
	}
	return c
}

// subtreeOf returns a function that numbers the tiles of a zoom, with all that lies below each, from 1 on. What
// lies above them is 0.
func subtreeOf(zoom uint8) func(archive.Position) int {
	return func(p archive.Position) int {
		if p.Zoom < zoom {
			return 0
		}
		up := p.Zoom - zoom
		return 1 + int(archive.Position{Zoom: zoom, X: p.X >> up, Y: p.Y >> up}.Number()-archive.FirstNumber(zoom))
	}
}

func TestMergedShardsAreTheArchiveOfAllTiles(t *testing.T) {
	tiles := archivetest.Tiles(6000)
	want := written(t, options, tiles)
	random := rand.New(rand.NewPCG(6, 6))
	for name, shards := range map[string]*counted{
		"one":                    divided(t, tiles, 1, func(archive.Position) int { return 0 }),
		"subtrees":               divided(t, tiles, 17, subtreeOf(2)),
		"subtrees, some empty":   divided(t, tiles, 300, subtreeOf(2)),
		"at random":              divided(t, tiles, 7, func(archive.Position) int { return random.IntN(7) }),
		"at random, many":        divided(t, tiles, 2*maxOpen, func(archive.Position) int { return random.IntN(2 * maxOpen) }),
		"columns, which overlap": divided(t, tiles, 128, func(p archive.Position) int { return int(p.X) }),
	} {
		if got := merged(t, options, shards); !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, and not the %d of all tiles", name, len(got), len(want))
		}
	}
}

func TestShardsWithLeafDirectoriesAreMerged(t *testing.T) {
	var tiles []archive.Tile
	for zoom := uint8(8); zoom < 12; zoom++ {
		tiles = append(tiles, gridTiles(zoom, 1<<(2*zoom)/3)...)
	}
	tiles = tiles[:60_000]
	shards := divided(t, tiles, 3, func(p archive.Position) int { return int(p.Y/8) % 3 })
	if headerIn(t, shards.files[0]).Leaves.Length == 0 {
		t.Fatal("shards have no leaf directories")
	}
	if got := merged(t, options, shards); !bytes.Equal(got, written(t, options, tiles)) {
		t.Error("the bytes differ from those of all tiles")
	}
}

// A shard is opened to see where it begins, and then for each of its zooms. Beyond 32 that are open, it takes 16
// bytes while it waits.
func TestThousandsOfShardsAreMergedInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("writes thousands of shards")
	}
	const zoom, zooms = 6, 4 // as many shards as zoom 6 has tiles, each with the corners of 4 zooms
	shards := new(counted)
	for number := range uint64(1 << (2 * zoom)) {
		top, _ := archive.PositionOf(archive.FirstNumber(zoom) + number)
		var tiles []archive.Tile
		for below := range uint8(zooms) {
			corner := archive.Position{Zoom: zoom + below, X: top.X << below, Y: top.Y << below}
			tiles = append(tiles, archive.Tile{Position: corner, Content: []byte(corner.String())})
		}
		shards.files = append(shards.files, written(t, options, tiles))
	}
	path := filepath.Join(t.TempDir(), "map.pmtiles")
	w, err := Create(path, Options{Description: options.Description, MemoryBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	before := heapBytes()
	if err := w.Merge(t.Context(), shards.shards()); err != nil {
		t.Fatal(err)
	}
	if after := heapBytes(); after > before+1<<20 {
		t.Errorf("%d bytes of memory for %d shards", after-before, len(shards.files))
	}
	if shards.open != 0 || shards.most > maxOpen || shards.opened > (zooms+1)*len(shards.files) {
		t.Errorf("%d shards were opened %d times, %d at a time, and %d are open", len(shards.files), shards.opened, shards.most, shards.open)
	}
	if err := w.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := openFile(t, path)
	if want := uint64(zooms * len(shards.files)); a.header.Tiles != want || a.header.Contents != want {
		t.Errorf("got %+v, want %d tiles", a.header, want)
	}
	for _, position := range []archive.Position{{Zoom: 6, X: 63, Y: 63}, {Zoom: 9, X: 8 * 17, Y: 8 * 33}} {
		if got, err := a.Tiles(t.Context(), []archive.Position{position}); err != nil || string(got[0]) != position.String() {
			t.Errorf("tile %v is %q, %v", position, got, err)
		}
	}
}
