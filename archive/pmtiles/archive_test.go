package pmtiles

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/archive/pmtiles/directory"
	"tileserver/cache"
	"tileserver/decode"
	"tileserver/source"
	"tileserver/source/sourcetest"
)

func openBytes(t *testing.T, file []byte) *Archive {
	t.Helper()
	a, err := Open(t.Context(), source.NewBytes("map.pmtiles", file), NewDirectories(cache.New(16<<20)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func positionsOf(tiles []archive.Tile) []archive.Position {
	var positions []archive.Position
	for _, tile := range tiles {
		positions = append(positions, tile.Position)
	}
	return positions
}

func TestManyTilesAreReadInFewCalls(t *testing.T) {
	tiles := gridTiles(12, 50_000)
	src := sourcetest.NewFake(written(t, options, tiles))
	a, err := Open(t.Context(), src, NewDirectories(cache.New(16<<20)))
	if err != nil {
		t.Fatal(err)
	}
	if got := src.Calls(); len(got) != 2 || !slices.Equal(got[0], []source.Range{{Length: directory.StartBytes}}) {
		t.Errorf("opening reads %v, want the first %d bytes, and metadata", got, directory.StartBytes)
	}
	some := positionsOf([]archive.Tile{tiles[5], tiles[20_000], tiles[5], tiles[49_999]})
	for round, want := range []int{4, 5} { // leaves and tiles, and then tiles
		if _, err := a.Tiles(t.Context(), some); err != nil {
			t.Fatal(err)
		}
		if got := src.Counts().Calls; got != want {
			t.Errorf("round %d: %d calls, want %d", round, got, want)
		}
	}
	if leaves := src.Calls()[2]; len(leaves) != 3 {
		t.Errorf("read the leaves %v, want 3", leaves)
	}
}

func TestAnArchiveThatWasReplacedIsAnError(t *testing.T) {
	src := sourcetest.NewFake(written(t, options, archivetest.Tiles(100)))
	a, err := Open(t.Context(), src, NewDirectories(nil))
	if err != nil {
		t.Fatal(err)
	}
	src.Replace([]byte("other"))
	if _, err := a.Tiles(t.Context(), []archive.Position{{}}); !errors.Is(err, source.ErrChanged) {
		t.Errorf("got %v", err)
	}
}

// handmade returns a file with a root directory, one leaf, and 100 bytes of tiles.
func handmade(root, leaf []byte, change func(*directory.Header)) []byte {
	h := directory.Header{
		Root: directory.Section{Offset: directory.HeaderBytes, Length: uint64(len(root))}, Compression: directory.None, TileCompression: directory.None,
		TileType: 2,
	}
	h.Leaves = directory.Section{Offset: h.Root.End(), Length: uint64(len(leaf))}
	h.Data = directory.Section{Offset: h.Leaves.End(), Length: 100}
	change(&h)
	return slices.Concat(h.Bytes(), root, leaf, make([]byte, 100))
}

func asMade(*directory.Header) {}

func TestHostileArchives(t *testing.T) {
	entry := func(e directory.Entry) []byte { return directory.Append(nil, []directory.Entry{e}) }
	tile := entry(directory.Entry{Length: 100, Run: 1})
	loop := entry(directory.Entry{Length: uint32(len(entry(directory.Entry{Length: 5})))})
	var compressor directory.Compressor
	bomb, err := compressor.Compress(make([]byte, 100<<20))
	if err != nil {
		t.Fatal(err)
	}
	packed := func(h *directory.Header) { h.Compression = directory.Gzip }
	tests := map[string][]byte{
		"nothing":                      nil,
		"half a header":                handmade(tile, nil, asMade)[:100],
		"a leaf that leads to itself":  handmade(loop, loop, asMade),
		"a leaf that is none":          handmade(loop, []byte{0xff, 0xff, 0xff, 0xff, 0xff}, asMade),
		"a root that is none":          handmade([]byte("what?"), nil, asMade),
		"a root that is not packed":    handmade(tile, nil, packed),
		"a leaf that is a bomb":        bombed(bomb),
		"a tile behind the end":        handmade(entry(directory.Entry{Length: 101, Run: 1}), nil, asMade),
		"sections behind the end":      handmade(tile, nil, func(h *directory.Header) { h.Data.Length = 1 << 40 }),
		"sections that overflow":       handmade(tile, nil, func(h *directory.Header) { h.Data.Length = math.MaxUint64 }),
		"metadata that are no JSON":    handmade(tile, nil, func(h *directory.Header) { h.Metadata = directory.Section{Offset: 20, Length: 30} }),
		"tiles that are not packed":    handmade(tile, nil, func(h *directory.Header) { h.TileCompression = directory.Gzip }),
		"more metadata than there are": handmade(tile, nil, func(h *directory.Header) { h.Metadata = directory.Section{Offset: 20, Length: 3000} }),
	}
	for name, file := range tests {
		a, err := Open(t.Context(), source.NewBytes("map.pmtiles", file), NewDirectories(nil))
		if err == nil {
			_, err = a.Tiles(t.Context(), []archive.Position{{}})
		}
		if !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := openBytes(t, handmade(tile, nil, asMade)).Tiles(t.Context(), []archive.Position{{}}); err != nil {
		t.Errorf("what is not hostile: %v", err)
	}
}

// bombed returns a file with a leaf that is small only while it is packed.
func bombed(bomb []byte) []byte {
	var compressor directory.Compressor
	root, err := compressor.Compress(directory.Append(nil, []directory.Entry{{Length: uint32(len(bomb))}}))
	if err != nil {
		panic(err)
	}
	return handmade(root, bomb, func(h *directory.Header) { h.Compression = directory.Gzip })
}

// sparse is a source of any size that has only the bytes of its begin.
type sparse struct {
	*source.Bytes
	size int64
	read int64
}

func (s *sparse) Size() int64 { return s.size }

func (s *sparse) ReadRanges(ctx context.Context, ranges []source.Range) ([][]byte, error) {
	for _, r := range ranges {
		s.read += r.Length
		if r.End() > s.Bytes.Size() {
			return nil, source.ErrShortRead
		}
	}
	return s.Bytes.ReadRanges(ctx, ranges)
}

func TestSizesThatAreTooLargeAreNotRead(t *testing.T) {
	const size = 1 << 40
	root := directory.Append(nil, []directory.Entry{{Number: 0, Length: archive.MaxTileBytes + 1, Run: 1}, {Number: 1, Length: directory.MaxBytes + 1}})
	file := append(handmade(root, nil, func(h *directory.Header) {
		h.Leaves, h.Data = directory.Section{Offset: 1000, Length: 1 << 39}, directory.Section{Offset: 1000, Length: 1 << 39}
	}), make([]byte, directory.StartBytes)...)
	src := &sparse{Bytes: source.NewBytes("map.pmtiles", file), size: size}
	a, err := Open(t.Context(), src, NewDirectories(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, position := range []archive.Position{{}, {Zoom: 1}} {
		if _, err := a.Tiles(t.Context(), []archive.Position{position}); !errors.Is(err, decode.ErrCorrupt) {
			t.Errorf("tile %v: %v", position, err)
		}
	}
	if src.read != directory.StartBytes {
		t.Errorf("%d bytes were read", src.read)
	}
}

func TestMetadataOfOtherTypesAreIgnored(t *testing.T) {
	got, err := describe(archive.Description{Format: archive.PNG}, []byte(`{"name":"a","attribution":["x"],"version":2,"type":"overlay","vector_layers":[{}]}`))
	if want := (archive.Description{Format: archive.PNG, Name: "a", IsOverlay: true}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFieldsOfHeadersThatAreNotOnTheGlobeAreUnknown(t *testing.T) {
	h := directory.Header{MinZoom: 200, MaxZoom: 255, CenterZoom: 99, TileType: 77, Bounds: [4]int32{1, 2, 0, 5}, Center: [2]int32{math.MinInt32, 0}}
	want := archive.Description{MinZoom: archive.MaxZoom, MaxZoom: archive.MaxZoom}
	if got := descriptionOf(h); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestTilesThatArePackedAreUnpackedUnlessTheyAreVectors(t *testing.T) {
	var compressor directory.Compressor
	packed, err := compressor.Compress([]byte("a picture"))
	if err != nil {
		t.Fatal(err)
	}
	root := directory.Append(nil, []directory.Entry{{Length: uint32(len(packed)), Run: 1}})
	for tileType, want := range map[uint8][]byte{2: []byte("a picture"), 1: packed} {
		file := handmade(root, nil, func(h *directory.Header) { h.TileType, h.TileCompression = tileType, directory.Gzip })
		copy(file[len(file)-100:], packed)
		if got, err := openBytes(t, file).Tiles(t.Context(), []archive.Position{{}}); err != nil || !bytes.Equal(got[0], want) {
			t.Errorf("type %d: %q, %v", tileType, got, err)
		}
	}
}

func FuzzArchive(f *testing.F) {
	entry := func(e directory.Entry) []byte { return directory.Append(nil, []directory.Entry{e}) }
	f.Add(handmade(entry(directory.Entry{Length: 100, Run: 1}), nil, asMade))
	f.Add(handmade(entry(directory.Entry{Length: 5}), entry(directory.Entry{Length: 5}), asMade))
	f.Add(bombed([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}))
	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := Open(t.Context(), source.NewBytes("map.pmtiles", file), NewDirectories(nil))
		if err != nil {
			if !errors.Is(err, decode.ErrCorrupt) && !errors.Is(err, decode.ErrUnsupported) {
				t.Errorf("opening: %v", err)
			}
			return
		}
		positions := []archive.Position{{}, {Zoom: 1, X: 1}, {Zoom: 7, X: 70, Y: 9}, {Zoom: archive.MaxZoom}}
		contents, err := a.Tiles(t.Context(), positions)
		if err == nil && len(contents) != len(positions) || err != nil && !errors.Is(err, decode.ErrCorrupt) && !errors.Is(err, decode.ErrUnsupported) {
			t.Errorf("%d tiles, %v", len(contents), err)
		}
		if err := a.Description().Check(); err != nil {
			t.Errorf("the description is not valid: %v", err)
		}
	})
}
