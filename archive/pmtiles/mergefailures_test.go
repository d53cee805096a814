package pmtiles

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/archive/pmtiles/directory"
	"tileserver/decode"
	"tileserver/source"
)

func TestShardsThatCannotBeMerged(t *testing.T) {
	tiles := archivetest.Tiles(50)
	good := written(t, options, tiles[:30])
	jpeg := options
	jpeg.Description.Format = archive.JPEG
	hostile := func(change func(*directory.Header)) []byte {
		return handmade(directory.Append(nil, []directory.Entry{{Length: 9}}), []byte("a leaf?!!"), change)
	}
	tests := map[string]struct {
		files [][]byte
		want  error
	}{
		"a tile twice":            {[][]byte{good, written(t, options, tiles[29:])}, archive.ErrPutTwice},
		"all tiles twice":         {[][]byte{good, good}, archive.ErrPutTwice},
		"a shard that is damaged": {[][]byte{good, []byte("damaged")}, decode.ErrCorrupt},
		"a leaf that is damaged":  {[][]byte{good, hostile(asMade)}, decode.ErrCorrupt},
		"another kind of tiles":   {[][]byte{good, written(t, jpeg, tiles[30:])}, nil},
	}
	for name, test := range tests {
		w, err := Create(filepath.Join(t.TempDir(), "map.pmtiles"), options)
		if err != nil {
			t.Fatal(err)
		}
		shards := &counted{files: test.files}
		err = w.Merge(t.Context(), shards.shards())
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if shards.open != 0 {
			t.Errorf("%s: %d shards are open", name, shards.open)
		}
		if err := w.Finish(t.Context()); err == nil {
			t.Errorf("%s: the archive was finished", name)
		}
		if err := w.Discard(); err != nil {
			t.Error(err)
		}
	}
}

func TestAMergeEndsWithItsContext(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "map.pmtiles"), options)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	ctx, end := context.WithCancel(t.Context())
	shards := divided(t, archivetest.Tiles(2000), 17, subtreeOf(2))
	list := shards.shards()
	open := list.Open
	list.Open = func(ctx context.Context, shard int) (source.Source, error) {
		if shards.opened == 9 {
			end()
		}
		return open(ctx, shard)
	}
	if err := w.Merge(ctx, list); !errors.Is(err, context.Canceled) || shards.open != 0 {
		t.Errorf("got %v, and %d shards are open", err, shards.open)
	}
}

func FuzzMerge(f *testing.F) {
	entry := func(e directory.Entry) []byte { return directory.Append(nil, []directory.Entry{e}) }
	f.Add(handmade(entry(directory.Entry{Length: 100, Run: 1}), nil, asMade))
	f.Add(handmade(entry(directory.Entry{Length: 5}), entry(directory.Entry{Number: 4, Length: 5, Run: 1 << 31}), asMade))
	f.Add(handmade(directory.Append(nil, []directory.Entry{{Number: 3, Length: 5, Run: 1}, {Number: 5, Length: 5}, {Number: 9, Length: 5}}),
		entry(directory.Entry{Number: 4, Length: 5, Run: 1}), asMade))
	f.Fuzz(func(t *testing.T, shard []byte) {
		w, err := create("map.pmtiles", options, func(string) (file, error) { return newMemory(), nil })
		if err != nil {
			t.Fatal(err)
		}
		defer w.Discard()
		shards := &counted{files: [][]byte{shard}}
		err = w.Merge(t.Context(), shards.shards())
		if shards.open != 0 {
			t.Errorf("%d shards are open", shards.open)
		}
		if err == nil {
			if err := w.Finish(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}
