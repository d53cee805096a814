package packets

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/codestream/codestreamtest"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/integration/realfiles"
)

// codestreamIn returns the codestream of a file, from its first two markers on.
func codestreamIn(data []byte) []byte {
	if i := bytes.Index(data, []byte{0xff, 0x4f, 0xff, 0x51}); i >= 0 {
		return data[i:]
	}
	return nil
}

// realFiles calls do for all codestreams of a folder.
func realFiles(t *testing.T, folder string, do func(t *testing.T, data []byte)) {
	root := filepath.Join(realfiles.Folder(t, "jp2k"), folder)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if stream := codestreamIn(data); stream != nil {
			name, _ := filepath.Rel(root, path)
			t.Run(name, func(t *testing.T) { do(t, stream) })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tiles reads the headers of all tiles of a codestream.
func tiles(data []byte) ([]*codestream.Tile, error) {
	r := codestreamtest.NewReader(data)
	h, err := codestream.ReadHeader(r, codestream.Limits{})
	if err != nil {
		return nil, err
	}
	parts, err := h.FindParts(r)
	if err != nil {
		return nil, err
	}
	var all []*codestream.Tile
	for i := range h.Tiles() {
		if parts.OfTile(i) == 0 {
			continue
		}
		tile, err := h.ReadTile(r, parts, i)
		if err != nil {
			return nil, err
		}
		all = append(all, tile)
	}
	return all, nil
}

// unsound returns the files that are not read to the last byte, with the reason.
func unsound() map[string]string {
	return map[string]string{
		"openjpeg-data/file409752.jp2": "seven bytes follow the last packet",
		"openjpeg-data/issue226.j2k":   "the last two packets are missing",
		"openjpeg-data/issue399.j2k":   "the header of tile 4 says two resolutions and seven layers, but its packets have six and four",
	}
}

func TestRealFilesAreReadToTheLastByte(t *testing.T) {
	files := 0
	realFiles(t, "jp2k", func(t *testing.T, data []byte) {
		all, err := tiles(data)
		if err != nil {
			t.Fatal(err)
		}
		whole := true
		for _, tile := range all {
			whole = checkRealTile(t, data, tile) && whole
		}
		name := strings.TrimPrefix(t.Name(), "TestRealFilesAreReadToTheLastByte/")
		if why := unsound()[name]; whole != (why == "") {
			t.Errorf("read to the last byte: %t, but %q", whole, why)
		}
		files++
	})
	if files < 150 {
		t.Errorf("%d files were read, not 150 or more", files)
	}
}

// TestBrokenFiles reads deliberately broken files. If the headers are readable, there is an index,
// and all its ranges are in the file.
func TestBrokenFiles(t *testing.T) {
	walked := 0
	realFiles(t, "corrupt/jp2k", func(t *testing.T, data []byte) {
		all, err := tiles(data)
		if err != nil {
			return
		}
		for _, tile := range all {
			index, err := Scan(t.Context(), codestreamtest.NewReader(data), tile, DefaultLimits())
			if errors.Is(err, ErrLimit) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			walked++
			again, err := Parse(tile, index.AppendBinary(nil), DefaultLimits())
			if err != nil || !isSameOnDisk(index, again) {
				t.Errorf("tile %d: not equal after a round trip: %v", tile.Number, err)
			}
			for i := range index.tables {
				checkTable(t, &index.blockReader, &index.tables[i], int64(len(data)))
			}
		}
	})
	if walked == 0 {
		t.Error("no tile was scanned")
	}
}

func checkTable(t *testing.T, s *blockReader, table *table, size int64) {
	t.Helper()
	var block Block
	for i := range table.records {
		if table.records[i].passes == 0 || !s.fill(&block, &table.records[i], AllLayers) {
			continue
		}
		for _, c := range block.Chunks {
			if c.Offset < 0 || c.Length <= 0 || c.Offset+c.Length > size {
				t.Fatalf("a chunk of %+v in a file of %d bytes", c, size)
			}
		}
	}
}

// checkRealTile reports whether the packets of a tile fill its tile-parts.
func checkRealTile(t *testing.T, data []byte, tile *codestream.Tile) bool {
	t.Helper()
	l, err := newLayout(tile, DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	parts, err := newParts(tile)
	if err != nil {
		t.Fatal(err)
	}
	w := &scanner{states: newStates(l), reader: newPacketReader(codestreamtest.NewReader(data), tile, parts, l.tables()), noteBytes: int64(DefaultLimits().NoteBytes), readCounts: make([]uint16, l.precincts)}
	if err := w.scan(newOrder(t.Context(), l)); err != nil {
		t.Fatal(err)
	}
	index := newIndex(l, parts, &w.reader.recorder)
	checkLocated(t, data, tile, index)
	again, err := Parse(tile, index.AppendBinary(nil), DefaultLimits())
	if err != nil || !isSameOnDisk(index, again) {
		t.Errorf("tile %d: not equal after a round trip: %v", tile.Number, err)
	}
	t.Logf("tile %d: %d packets to byte %d of %d, damage %v", tile.Number, w.count, w.at, parts.length(), w.damage)
	return w.damage == nil && w.at == parts.length() && w.reader.packedAt == int64(len(w.reader.packed))
}

// checkLocated compares what is read precinct by precinct with the index of the whole tile.
func checkLocated(t *testing.T, data []byte, tile *codestream.Tile, index *Index) {
	t.Helper()
	located, err := Locate(t.Context(), tile, DefaultLimits())
	if err != nil {
		if tile.PacketLengths != nil && tile.PackedHeaders == nil {
			t.Errorf("tile %d: %v", tile.Number, err)
		}
		return
	}
	for c := range tile.Components {
		for r := range tile.Components[c].Resolutions {
			res := &tile.Components[c].Resolutions[r]
			for n := range res.PrecinctColumns * res.PrecinctRows {
				at := PrecinctPosition{c, r, n % res.PrecinctColumns, n / res.PrecinctColumns}
				p, err := located.Precinct(t.Context(), codestreamtest.NewReader(data), at)
				if err != nil || p.Damage() != nil {
					t.Fatalf("precinct %+v: %v, %v", at, err, p.Damage())
				}
				for b := range res.Bands {
					sameBlocks(t, p, index, Position{c, r, b, 0, 0}, precinctBlocks(res, r, b, at.Column, at.Row))
				}
			}
		}
	}
}

func sameBlocks(t *testing.T, a, b Blocks, at Position, rect wavelet.Rect) {
	t.Helper()
	var got, want Block
	for at.Row = rect.Y0; at.Row < rect.Y1; at.Row++ {
		for at.Column = rect.X0; at.Column < rect.X1; at.Column++ {
			foundA, foundB := a.Block(at, AllLayers, &got), b.Block(at, AllLayers, &want)
			if foundA != foundB || foundA && !(slices.Equal(got.Chunks, want.Chunks) && slices.Equal(got.Segments, want.Segments) &&
				got.MissingBitPlanes == want.MissingBitPlanes && got.HT == want.HT) {
				t.Fatalf("block %+v: %+v in its precinct, but %+v in the index", at, got, want)
			}
		}
	}
}

// isSameOnDisk compares an index with its stored form. The broken precincts are not stored, since a
// damaged index is never stored.
func isSameOnDisk(index, again *Index) bool {
	stored := *index
	stored.broken = nil
	return reflect.DeepEqual(&stored, again)
}
