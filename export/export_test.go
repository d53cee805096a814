package export

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"tileserver/archive"
)

// content returns the file of a tile, which says where it is.
func content(at archive.Position) []byte {
	return fmt.Appendf(nil, "\x89PNG\r\n\x1a\n%v %s", at, strings.Repeat("x", int(at.X+at.Y)%50))
}

func renderContent(_ context.Context, at archive.Position) ([]byte, error) { return content(at), nil }

// config returns an export of a few shards into a new folder.
func config(t *testing.T) Config {
	return Config{
		Out: filepath.Join(t.TempDir(), "out"), Job: Job{{"input", "a.tif"}, {"zooms", "3-9"}}, Grid: quads(3, 9, around(0.2, 0.3, 0.35, 0.35)),
		Render: renderContent, Create: createRecorder, Workers: 3,
	}
}

// text returns all files of a folder, or the text of a file.
func text(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(path, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		relative, _ := filepath.Rel(path, file)
		fmt.Fprintf(&all, "%s: %q\n", filepath.ToSlash(relative), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// wantNothingBeside fails if there is anything beside an output.
func wantNothingBeside(t *testing.T, out string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(out) {
		t.Errorf("beside the output there are %v, %v", entries, err)
	}
}

func TestAnExportHasAllTiles(t *testing.T) {
	for name, g := range oddGrids() {
		c := config(t)
		c.Grid = g
		report, err := Run(t.Context(), c)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, bytes := make(map[string]bool), int64(0)
		for _, at := range wantedTiles(g) {
			want[line(at, content(at))] = true
			bytes += int64(len(content(at)))
		}
		output, err := os.ReadFile(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		for got := range strings.Lines(string(output)) {
			if !want[got] {
				t.Fatalf("%s: a tile that is not wanted, or wanted once: %s", name, got)
			}
			delete(want, got)
		}
		if len(want) != 0 || report.Tiles != g.Tiles() || report.Bytes != bytes {
			t.Errorf("%s: %d tiles are missing; it reports %d of %d, and %d bytes of %d", name, len(want), report.Tiles, g.Tiles(), report.Bytes, bytes)
		}
		wantNothingBeside(t, c.Out)
	}
}

// line is what a recorder writes of a tile.
func line(at archive.Position, content []byte) string { return fmt.Sprintf("%v %q\n", at, content) }

// recorder records the tiles in their order.
type recorder struct {
	path      string
	puts      strings.Builder
	fails     error // of Put, after some tiles
	left      int
	discarded bool
}

func (r *recorder) Put(_ context.Context, tiles []archive.Tile) error {
	for _, tile := range tiles {
		if r.left--; r.fails != nil && r.left < 0 {
			return r.fails
		}
		r.puts.WriteString(line(tile.Position, tile.Content))
	}
	return nil
}

func (r *recorder) Finish(context.Context) error {
	return os.WriteFile(r.path, []byte(r.puts.String()), 0o644)
}

func (r *recorder) Discard() error {
	r.discarded = true
	return nil
}

func createRecorder(path string) (archive.Writer, error) { return &recorder{path: path}, nil }

// recorded returns what an undisturbed export of one worker gives.
func recorded(t *testing.T, c Config) string {
	t.Helper()
	c.Out, c.Workers = filepath.Join(t.TempDir(), "out"), 1
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return text(t, c.Out)
}

func TestTilesComeInTheirOrderHoweverManyWorkersThereAre(t *testing.T) {
	c := config(t)
	want := recorded(t, c)
	for _, workers := range []int{2, 8} {
		c.Workers, c.Out = workers, filepath.Join(t.TempDir(), "out")
		if _, err := Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if text(t, c.Out) != want {
			t.Errorf("%d workers give another output", workers)
		}
	}
}

var errBroken = errors.New("broken")

func TestDamagedTilesEndAnExportOrAreLeftOut(t *testing.T) {
	c := config(t)
	c.Render = func(ctx context.Context, at archive.Position) ([]byte, error) {
		if at.Zoom >= 8 && at.X%16 == 3 && at.Y%16 == 5 {
			return nil, fmt.Errorf("wrapped: %w", &DamagedError{errBroken})
		}
		if at.X%16 == 4 {
			return nil, nil
		}
		return renderContent(ctx, at)
	}
	workers := c.Workers
	c.Workers = 1 // which of several meets a damaged tile first is not known
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), "tile 9/") {
		t.Errorf("the error is %v", err)
	}
	c.SkipDamaged, c.Workers, c.Out = true, workers, c.Out+"2"
	report, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	damaged, empty := int64(0), int64(0)
	for _, at := range wantedTiles(c.Grid) {
		switch {
		case at.Zoom >= 8 && at.X%16 == 3 && at.Y%16 == 5:
			damaged++
		case at.X%16 == 4:
			empty++
		}
	}
	if int64(len(report.Damaged)) != damaged || damaged < 2 || report.Damaged[0].Reason != "broken" || report.Tiles != c.Grid.Tiles()-damaged-empty {
		t.Errorf("%d damaged tiles of %d are reported, and %d tiles", len(report.Damaged), damaged, report.Tiles)
	}
}

func TestAnExportEndsWithItsContext(t *testing.T) {
	c := config(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	var made atomic.Int64
	c.Render = func(_ context.Context, at archive.Position) ([]byte, error) {
		if made.Add(1) == 100 {
			cancel(errBroken)
		}
		return content(at), nil
	}
	if _, err := Run(ctx, c); !errors.Is(err, errBroken) || made.Load() > 100+int64(c.Workers) {
		t.Errorf("%v after %d tiles", err, made.Load())
	}
	left, err := os.ReadDir(filepath.Join(WorkFolder(c.Out), shardsName))
	if len(left) != 0 || err != nil {
		t.Errorf("unfinished shards are left: %v, %v", left, err)
	}
}

func TestWhatWasPreparedOutlivesAnInterruption(t *testing.T) {
	c := config(t)
	kept := filepath.Join(WorkFolder(c.Out), "state")
	c.Prepare = func(context.Context) error {
		if err := os.WriteFile(kept, []byte("overviews"), 0o644); err != nil {
			return err
		}
		return context.Canceled
	}
	if _, err := Run(t.Context(), c); !errors.Is(err, context.Canceled) {
		t.Fatalf("an export that was not prepared: %v", err)
	}
	Discard(c.Out)
	c.Prepare = func(context.Context) error {
		_, err := os.Stat(kept)
		return err
	}
	if _, err := Run(t.Context(), c); err != nil {
		t.Errorf("an export that goes on: %v", err)
	}
	wantNothingBeside(t, c.Out)
}
