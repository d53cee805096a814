package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tileserver/archive"
)

// An export that was killed when only its work folder had yet to be removed.
func TestACompleteOutputIsTidiedUp(t *testing.T) {
	c := config(t)
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	f, err := openWorkFolder(c.Out, c.Job)
	if err != nil {
		t.Fatal(err)
	}
	defer f.unlock()
	if err := f.noteJoined(&Report{Tiles: 7}); err != nil {
		t.Fatal(err)
	}
	f.unlock()
	report, err := Run(t.Context(), c)
	if err != nil || report.Tiles != 7 {
		t.Errorf("%+v, %v", report, err)
	}
	wantNothingBeside(t, c.Out)
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrExists) {
		t.Errorf("an output that exists: %v", err)
	}
	wantNothingBeside(t, c.Out)
}

// An export that was killed while its folder was being removed may leave anything of it but the journal.
func TestWhatLiesInAFolderWithoutAJournalIsNotUsed(t *testing.T) {
	c := config(t)
	want := recorded(t, c)
	leave := func() {
		t.Helper()
		f, err := openWorkFolder(c.Out, c.Job)
		if err != nil {
			t.Fatal(err)
		}
		defer f.unlock()
		for shard := range c.Grid.levelGroups()[0].shards {
			err = errors.Join(err, writeWhole(f.shardPath(shard), []byte("of other tiles")))
		}
		if err := errors.Join(err, f.noteJoined(&Report{Tiles: 7}), os.Remove(f.in(journalName))); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	if _, err := Run(t.Context(), c); err != nil || text(t, c.Out) != want {
		t.Errorf("%v, or an output with other tiles", err)
	}
	leave()
	c.Job = Job{{"input", "another.tif"}}
	if _, err := Run(t.Context(), c); !errors.Is(err, ErrExists) {
		t.Errorf("the output of another job: %v", err)
	}
	wantNothingBeside(t, c.Out)
}

func TestTheFoldersOfOtherJobsAreRefused(t *testing.T) {
	c := config(t)
	c.Render = func(context.Context, archive.Position) ([]byte, error) { return nil, errBroken }
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	for says, job := range map[string]Job{
		"zooms was 3-9, and is 3-10":    {{"input", "a.tif"}, {"zooms", "3-10"}},
		"input was a.tif, and is b.tif": {{"input", "b.tif"}, {"zooms", "3-9"}},
		"zooms was 3-9;":                {{"input", "a.tif"}},
		"box is 1;":                     {{"input", "a.tif"}, {"zooms", "3-9"}, {"box", "1"}},
		"input was a.tif;":              {{"layer", "a"}, {"zooms", "3-9"}},
	} {
		c.Job = job
		if _, err := Run(t.Context(), c); !errors.Is(err, ErrOtherJob) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", job, err)
		}
	}
}

func TestTwoExportsDoNotShareAFolder(t *testing.T) {
	c := config(t)
	c.Render = func(ctx context.Context, at archive.Position) ([]byte, error) {
		other := c
		other.Render = renderContent
		if _, err := Run(ctx, other); err == nil || !strings.Contains(err.Error(), "another export is at work") {
			t.Errorf("the second export: %v", err)
		}
		return nil, errBroken
	}
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

func TestAFolderWithoutAJobIsDiscarded(t *testing.T) {
	c := config(t)
	if err := os.MkdirAll(filepath.Join(WorkFolder(c.Out), "state"), 0o755); err != nil {
		t.Fatal(err)
	}
	Discard(c.Out)
	if exists(WorkFolder(c.Out)) {
		t.Error("the folder is left")
	}
	c.Render = func(context.Context, archive.Position) ([]byte, error) { return nil, errBroken }
	if _, err := Run(t.Context(), c); !errors.Is(err, errBroken) {
		t.Fatal(err)
	}
	if Discard(c.Out); !exists(WorkFolder(c.Out)) {
		t.Error("the folder of a job is gone")
	}
}
