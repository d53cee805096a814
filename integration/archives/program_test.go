package archives

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tileserver/archive"
	"tileserver/archive/mbtiles"
	"tileserver/archive/pmtiles"
	"tileserver/cache"
	"tileserver/source/local"
	"tileserver/source/ranges"
)

// find returns the path of a program. If it is missing, the test is skipped, or fails in CI.
func find(t *testing.T, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("NOT TESTED: %s is not installed", name)
	return ""
}

// run returns what a program writes to its output, and to its log.
func run(t *testing.T, program string, arguments ...string) (output []byte, log string) {
	t.Helper()
	command := exec.Command(program, arguments...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s%s", filepath.Base(program), arguments, err, output, stderr.String())
	}
	return output, stderr.String()
}

// finish puts tiles and finishes an archive.
func finish(t *testing.T, w archive.Writer, tiles []archive.Tile) {
	t.Helper()
	defer w.Discard()
	if err := errors.Join(w.Put(t.Context(), tiles), w.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
}

func writePMTiles(t *testing.T, path string, d archive.Description, tiles []archive.Tile) {
	t.Helper()
	w, err := pmtiles.Create(path, pmtiles.Options{Description: d})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, w, tiles)
}

func writeMBTiles(t *testing.T, path string, d archive.Description, tiles []archive.Tile) {
	t.Helper()
	w, err := mbtiles.Create(t.Context(), path, mbtiles.Options{Description: d})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, w, tiles)
}

func openPMTiles(t *testing.T, path string) *pmtiles.Archive {
	t.Helper()
	src, err := local.Open(path, ranges.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	a, err := pmtiles.Open(t.Context(), src, pmtiles.NewDirectories(cache.New(16<<20)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func openMBTiles(t *testing.T, path string) *mbtiles.Archive {
	t.Helper()
	a, err := mbtiles.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// wantTiles fails unless an archive has tiles.
func wantTiles(t *testing.T, r archive.Reader, tiles []archive.Tile) {
	t.Helper()
	for _, tile := range tiles {
		if got, err := r.Tiles(t.Context(), []archive.Position{tile.Position}); err != nil || !bytes.Equal(got[0], tile.Content) {
			t.Fatalf("tile %v is %.40q, %v, want %.40q", tile.Position, got, err, tile.Content)
		}
	}
}
