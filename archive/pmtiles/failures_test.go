package pmtiles

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tileserver/archive"
	"tileserver/archive/archivetest"
	"tileserver/internal/unfinished"
)

// limited is a file on a disk that gets full.
type limited struct {
	file
	left *int
}

func (l limited) WriteAt(p []byte, offset int64) (int, error) {
	if *l.left -= len(p); *l.left < 0 {
		return 0, syscall.ENOSPC
	}
	return l.file.WriteAt(p, offset)
}

func TestADiskThatGetsFullLeavesTheEarlierArchive(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map.pmtiles")
	if err := os.WriteFile(path, []byte("earlier"), 0o644); err != nil {
		t.Fatal(err)
	}
	tiles := archivetest.Tiles(300)
	tiles[100], tiles[200] = tiles[200], tiles[100] // all are written twice
	needed := 0
	for failures := 0; ; needed += 997 {
		left := needed
		w, err := create(path, options, func(path string) (file, error) {
			created, err := unfinished.Create(path)
			return limited{created, &left}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Put(t.Context(), tiles)
		if err == nil {
			err = w.Finish(t.Context())
		}
		if err == nil {
			if failures < 20 {
				t.Errorf("only %d failures", failures)
			}
			break
		}
		failures++
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes: %v", needed, err)
		}
		if err := w.Discard(); err != nil {
			t.Error(err)
		}
		entries, err := os.ReadDir(folder)
		if content, _ := os.ReadFile(path); err != nil || len(entries) != 1 || string(content) != "earlier" {
			t.Fatalf("%d bytes: the folder has %v, and the archive is %q", needed, entries, content)
		}
	}
	wantArchive(t, path, tiles)
}

func wantArchive(t *testing.T, path string, tiles []archive.Tile) {
	t.Helper()
	a := openFile(t, path)
	for _, tile := range tiles {
		if got, err := a.Tiles(t.Context(), []archive.Position{tile.Position}); err != nil || !bytes.Equal(got[0], tile.Content) {
			t.Fatalf("tile %v is %q, %v", tile.Position, got, err)
		}
	}
}

func TestWhatADeadProcessLeftIsRemoved(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "map.pmtiles")
	for _, left := range []string{path + unfinished.Extension, path + sortedSuffix + unfinished.Extension} {
		if err := os.WriteFile(left, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Create(path, options)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Put(t.Context(), archivetest.Tiles(9)), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	wantArchive(t, path, archivetest.Tiles(9))
}

func TestDegreesThatAreNoNumbersAreRefused(t *testing.T) {
	o := Options{Description: archive.Description{Center: archive.Center{Longitude: math.NaN()}}}
	if _, err := Create(filepath.Join(t.TempDir(), "map.pmtiles"), o); !errors.Is(err, archive.ErrBounds) {
		t.Errorf("got %v", err)
	}
}
