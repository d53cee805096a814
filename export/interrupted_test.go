package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tileserver/archive"
)

// An export that ends again and again, after any number of tiles, gives the same in the end. It makes no
// tile of a finished shard again.
func TestAnInterruptedExportGoesOn(t *testing.T) {
	c := config(t)
	want := recorded(t, c)
	var made sync.Map // shards that were rendered to the end, by the number of runs in which they were
	for attempt, allowed := range []int64{0, 1, 100, 900, 1500, 2100, 40, 5000} {
		var left atomic.Int64
		left.Store(allowed)
		c.Render = func(ctx context.Context, at archive.Position) ([]byte, error) {
			if left.Add(-1) < 0 {
				return nil, errBroken
			}
			return renderContent(ctx, at)
		}
		_, err := Run(t.Context(), c)
		if err == nil {
			if text(t, c.Out) != want {
				t.Error("the output is another one")
			}
			wantNothingBeside(t, c.Out)
			return
		}
		if !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), "tile ") {
			t.Fatal(err)
		}
		if exists(c.Out) {
			t.Fatal("an unfinished output has its name")
		}
		finished, _ := os.ReadDir(filepath.Join(WorkFolder(c.Out), shardsName))
		for _, entry := range finished {
			if at, isKnown := made.LoadOrStore(entry.Name(), attempt); isKnown && at.(int) > attempt {
				t.Errorf("shard %s was made twice", entry.Name())
			}
		}
	}
	t.Error("the export has not ended")
}

func TestFinishedShardsAreNotRenderedAgain(t *testing.T) {
	c := config(t)
	c.Workers = 1
	rendered := make(map[archive.Position]int)
	stop := 2500
	c.Render = func(ctx context.Context, at archive.Position) ([]byte, error) {
		if stop--; stop < 0 {
			return nil, errBroken
		}
		rendered[at]++
		return renderContent(ctx, at)
	}
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	stop = 1 << 30
	progress := new(Progress)
	c.Progress = progress
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	s := progress.Snapshot()
	if s.Kept == 0 || s.Kept+s.Made != s.Total || s.Total != c.Grid.Tiles() || s.Joined != s.ToJoin || s.Joined != s.Total {
		t.Errorf("the progress is %+v of %d tiles", s, c.Grid.Tiles())
	}
	again := 0
	for _, times := range rendered {
		again += times - 1
	}
	if int64(again) != 2500-s.Kept || again > 5461 {
		t.Errorf("%d tiles were made again, %d were kept", again, s.Kept)
	}
}

func TestAnOutputThatFailsIsMadeAgainFromTheShards(t *testing.T) {
	c := config(t)
	want := recorded(t, c)
	failing := &recorder{fails: errBroken, left: 1000}
	c.Create = func(string) (archive.Writer, error) { return failing, nil }
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) || !failing.discarded || exists(c.Out) {
		t.Fatalf("%v, discarded: %v, there is an output: %v", err, failing.discarded, exists(c.Out))
	}
	c.Create = createRecorder
	c.Render = func(context.Context, archive.Position) ([]byte, error) { return nil, errBroken }
	if _, err := Run(t.Context(), c); err != nil || text(t, c.Out) != want {
		t.Errorf("%v, or another output", err)
	}
}
