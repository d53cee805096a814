// Package archivetest is a test suite for archives of tiles. Only tests may import it.
package archivetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tileserver/archive"
)

// Kind is a kind of archives.
type Kind struct {
	Create func(path string, d archive.Description) (archive.Writer, error)
	// Open opens a finished archive, and closes it when the test ends.
	Open func(t *testing.T, path string) archive.Reader
}

// Run checks that archives keep the contracts of archive.Writer and archive.Reader.
func Run(t *testing.T, kind Kind) {
	t.Run("tiles are read as they were put, in any order", func(t *testing.T) { testTiles(t, kind) })
	t.Run("a description is read as it was written", func(t *testing.T) { testDescription(t, kind) })
	t.Run("zooms and bounds follow from the tiles", func(t *testing.T) { testCoverage(t, kind) })
	t.Run("an archive has its name when it is finished", func(t *testing.T) { testName(t, kind) })
	t.Run("a discarded archive is gone", func(t *testing.T) { testDiscard(t, kind) })
	t.Run("what no writer takes", func(t *testing.T) { testRefused(t, kind) })
	t.Run("a position that is put twice", func(t *testing.T) { testTwice(t, kind) })
	t.Run("an ended context", func(t *testing.T) { testEnded(t, kind) })
	t.Run("an archive without tiles", func(t *testing.T) { testEmpty(t, kind) })
	t.Run("two writers of one archive", func(t *testing.T) { testTwoWriters(t, kind) })
}

// Tiles returns tiles of zooms 0 to 7, in the order of their numbers. Many have equal contents, in runs and
// elsewhere.
func Tiles(count int) []archive.Tile {
	random := rand.New(rand.NewPCG(4, 2))
	var tiles []archive.Tile
	for number := uint64(0); len(tiles) < count; number += 1 + uint64(random.IntN(2)*random.IntN(5)) {
		position, err := archive.PositionOf(number)
		if err != nil {
			panic(err)
		}
		tiles = append(tiles, archive.Tile{Position: position, Content: contentOf(number, random)})
	}
	return tiles
}

// contentOf returns the bytes of a PNG, as far as its first bytes tell.
func contentOf(number uint64, random *rand.Rand) []byte {
	content := []byte("\x89PNG\r\n\x1a\n")
	switch {
	case number/50%3 == 0:
		return append(content, "water"...)
	case random.IntN(10) == 0:
		return append(content, "sand"...)
	}
	return fmt.Appendf(content, "%d %x", number, make([]byte, random.IntN(200)))
}

func create(t *testing.T, kind Kind, path string, d archive.Description) archive.Writer {
	t.Helper()
	w, err := kind.Create(path, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Discard(); err != nil {
			t.Errorf("Discard: %v", err)
		}
	})
	return w
}

// write makes an archive in a folder of its own, and returns its path.
func write(t *testing.T, kind Kind, d archive.Description, tiles []archive.Tile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map")
	w := create(t, kind, path, d)
	if err := errors.Join(w.Put(t.Context(), tiles), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	wantNames(t, filepath.Dir(path), "map")
	return path
}

// wantNames fails unless a folder has files of these names, and no others.
func wantNames(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("there are the files %v, want %v", names, want)
	}
}

func testTiles(t *testing.T, kind Kind) {
	tiles := Tiles(3000)
	shuffled := bytesOf(tiles)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
	for name, put := range map[string][]archive.Tile{"sorted": tiles, "shuffled": shuffled} {
		r := kind.Open(t, write(t, kind, archive.Description{Format: archive.PNG}, put))
		wantTiles(t, r, tiles)
		if r.Version() == "" {
			t.Errorf("%s: no version", name)
		}
	}
}

func bytesOf(tiles []archive.Tile) []archive.Tile { return append([]archive.Tile(nil), tiles...) }

// wantTiles fails unless an archive has these tiles, and lacks those between them.
func wantTiles(t *testing.T, r archive.Reader, tiles []archive.Tile) {
	t.Helper()
	want := make(map[archive.Position][]byte)
	var positions []archive.Position
	for _, tile := range tiles {
		want[tile.Position] = tile.Content
		positions = append(positions, tile.Position)
	}
	last := tiles[len(tiles)-1].Number()
	for number := uint64(0); number < last+10; number += 7 { // again, or missing
		position, err := archive.PositionOf(number)
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, position)
	}
	positions = append(positions, archive.Position{Zoom: 3, X: 8}, archive.Position{Zoom: 31}, archive.Position{Zoom: archive.MaxZoom, X: 5, Y: 6})
	got, err := r.Tiles(context.Background(), positions)
	if err != nil || len(got) != len(positions) {
		t.Fatalf("%d of %d tiles, %v", len(got), len(positions), err)
	}
	for i, position := range positions {
		if !bytes.Equal(got[i], want[position]) || (got[i] == nil) != (want[position] == nil) {
			t.Errorf("tile %v is %q, want %q", position, got[i], want[position])
		}
	}
}

func testDescription(t *testing.T, kind Kind) {
	want := archive.Description{
		Name: "Kanton Zürich", Summary: "Orthophotos <2026> & \"maps\"", Attribution: `© <a href="https://example.org">GIS-ZH</a>`, Version: "2.1",
		IsOverlay: true, Format: archive.WebP, Bounds: archive.Bounds{West: 8.3, South: 47.1, East: 8.9, North: 47.7},
		Center: archive.Center{Longitude: 8.55, Latitude: 47.375, Zoom: 6},
	}
	got := kind.Open(t, write(t, kind, want, Tiles(2000))).Description()
	want.MinZoom, want.MaxZoom = 0, 6
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	got = kind.Open(t, write(t, kind, archive.Description{Format: archive.JPEG}, Tiles(5))).Description()
	if got.Name != "" || got.IsOverlay || got.Format != archive.JPEG {
		t.Errorf("got %+v", got)
	}
}

func testCoverage(t *testing.T, kind Kind) {
	tile := archive.Tile{Position: archive.Position{Zoom: 3, X: 5, Y: 2}, Content: []byte("tile")}
	got := kind.Open(t, write(t, kind, archive.Description{Format: archive.PNG}, []archive.Tile{tile})).Description()
	want := []float64{45, 40.9798981, 90, 66.5132604, 67.5, 53.7465793}
	for i, degrees := range []float64{got.Bounds.West, got.Bounds.South, got.Bounds.East, got.Bounds.North, got.Center.Longitude, got.Center.Latitude} {
		if math.Abs(degrees-want[i]) > 2e-7 {
			t.Errorf("got %+v, want bounds and center %v", got, want)
		}
	}
	if got.MinZoom != 3 || got.MaxZoom != 3 || got.Center.Zoom != 3 {
		t.Errorf("got %+v", got)
	}
}
