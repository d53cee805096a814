package archivetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tileserver/archive"
)

func testName(t *testing.T, kind Kind) {
	path := filepath.Join(t.TempDir(), "map")
	old, replacing := Tiles(3), Tiles(20)
	for _, tiles := range [][]archive.Tile{old, replacing} {
		_, isThere := os.Lstat(path)
		w := create(t, kind, path, archive.Description{Format: archive.PNG})
		if err := w.Put(t.Context(), tiles); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); (err == nil) != (isThere == nil) {
			t.Errorf("before the archive is finished: %v", err)
		}
		if isThere == nil {
			wantTiles(t, kind.Open(t, path), old)
		}
		if err := w.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantNames(t, filepath.Dir(path), "map")
		wantTiles(t, kind.Open(t, path), tiles)
		if err := errors.Join(w.Discard(), w.Discard()); err != nil {
			t.Errorf("discarding what is finished: %v", err)
		}
		wantTiles(t, kind.Open(t, path), tiles)
		if err := w.Put(t.Context(), tiles); err == nil {
			t.Error("a finished archive takes tiles")
		}
	}
}

func testDiscard(t *testing.T, kind Kind) {
	path := filepath.Join(t.TempDir(), "map")
	w := create(t, kind, path, archive.Description{Format: archive.PNG})
	if err := errors.Join(w.Put(t.Context(), Tiles(500)), w.Discard(), w.Discard()); err != nil {
		t.Fatal(err)
	}
	wantNames(t, filepath.Dir(path))
	if err := w.Finish(t.Context()); err == nil {
		t.Error("a discarded archive was finished")
	}
	wantNames(t, filepath.Dir(path))
}

func testRefused(t *testing.T, kind Kind) {
	tests := map[string]archive.Tile{
		"no content":       {},
		"too much content": {Content: make([]byte, archive.MaxTileBytes+1)},
		"no such zoom":     {Position: archive.Position{Zoom: archive.MaxZoom + 1}, Content: []byte("tile")},
		"no such column":   {Position: archive.Position{Zoom: 3, X: 8}, Content: []byte("tile")},
		"no such row":      {Position: archive.Position{Zoom: 3, Y: 8}, Content: []byte("tile")},
	}
	for name, tile := range tests {
		path := filepath.Join(t.TempDir(), "map")
		w := create(t, kind, path, archive.Description{Format: archive.PNG})
		err := w.Put(t.Context(), append(Tiles(3), tile))
		if !errors.Is(err, archive.ErrTileSize) && !errors.Is(err, archive.ErrNoPosition) {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Put(t.Context(), Tiles(10)[5:]); err == nil {
			t.Errorf("%s: a writer that failed takes tiles", name)
		}
		if err := w.Finish(t.Context()); err == nil {
			t.Errorf("%s: an archive that lacks a tile was finished", name)
		}
		if err := w.Discard(); err != nil {
			t.Error(err)
		}
		wantNames(t, filepath.Dir(path))
	}
	path := filepath.Join(t.TempDir(), "map")
	if _, err := kind.Create(path, archive.Description{Bounds: archive.Bounds{West: 5, East: 3}}); !errors.Is(err, archive.ErrBounds) {
		t.Errorf("bounds that are empty: %v", err)
	}
	wantNames(t, filepath.Dir(path))
	if _, err := kind.Create(filepath.Join(path, "no such folder", "map"), archive.Description{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
}

func testTwice(t *testing.T, kind Kind) {
	tiles := Tiles(40)
	for name, put := range map[string][]archive.Tile{
		"in a row":   append(tiles[:20:20], tiles[19]),
		"afterwards": append(tiles[:40:40], tiles[7]),
	} {
		path := filepath.Join(t.TempDir(), "map")
		w := create(t, kind, path, archive.Description{Format: archive.PNG})
		err := w.Put(t.Context(), put)
		if err == nil {
			err = w.Finish(t.Context())
		}
		if !errors.Is(err, archive.ErrPutTwice) {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Discard(); err != nil {
			t.Error(err)
		}
		wantNames(t, filepath.Dir(path))
	}
}

func testEnded(t *testing.T, kind Kind) {
	ended, end := context.WithCancel(t.Context())
	end()
	w := create(t, kind, filepath.Join(t.TempDir(), "map"), archive.Description{Format: archive.PNG})
	if err := w.Put(ended, Tiles(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("Put: %v", err)
	}
	path := filepath.Join(t.TempDir(), "map")
	w = create(t, kind, path, archive.Description{Format: archive.PNG})
	err := errors.Join(w.Put(t.Context(), Tiles(3)), w.Finish(ended))
	if _, errThere := os.Lstat(path); (err == nil) != (errThere == nil) {
		t.Errorf("Finish: %v, and what it made: %v", err, errThere)
	}
	r := kind.Open(t, write(t, kind, archive.Description{Format: archive.PNG}, Tiles(3)))
	if _, err := r.Tiles(ended, []archive.Position{{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Tiles: %v", err)
	}
}

func testEmpty(t *testing.T, kind Kind) {
	r := kind.Open(t, write(t, kind, archive.Description{Name: "nothing", Format: archive.PNG}, nil))
	got, err := r.Tiles(t.Context(), []archive.Position{{}, {Zoom: 5, X: 1, Y: 2}})
	if err != nil || len(got) != 2 || got[0] != nil || got[1] != nil || r.Description().Name != "nothing" {
		t.Errorf("got %q of %+v, %v", got, r.Description(), err)
	}
	if got, err := r.Tiles(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("no tiles: %q, %v", got, err)
	}
}

func testTwoWriters(t *testing.T, kind Kind) {
	path := filepath.Join(t.TempDir(), "map")
	w := create(t, kind, path, archive.Description{Format: archive.PNG})
	if second, err := kind.Create(path, archive.Description{Format: archive.PNG}); err == nil {
		t.Errorf("a second writer began, and is discarded: %v", second.Discard())
	}
	if err := errors.Join(w.Put(t.Context(), Tiles(5)), w.Finish(t.Context())); err != nil {
		t.Error(err)
	}
	wantTiles(t, kind.Open(t, path), Tiles(5))
}
