package export

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"tileserver/archive"
	"tileserver/internal/unfinished"
)

// Config says what to make.
type Config struct {
	Out    string // where the output will be; nothing is there until it is complete
	Job    Job
	Grid   Grid
	Render Render

	// Prepare makes what Render needs, if it is not nil. The folder of the job is claimed then, so that what lies
	// there outlives an interruption.
	Prepare func(ctx context.Context) error

	Create func(path string) (archive.Writer, error) // of the output, at another path

	Workers     int       // that render at a time; at least 1
	SkipDamaged bool      // leaves damaged tiles out; otherwise the first one ends the export
	Progress    *Progress // or nil
}

// A Report describes a finished export.
type Report struct {
	Tiles   int64         `json:"tiles"` // in the output
	Bytes   int64         `json:"bytes"` // of them
	Damaged []DamagedTile `json:"damaged,omitempty"`
}

// Run makes an output, or goes on with one that was interrupted.
func Run(ctx context.Context, c Config) (report Report, err error) {
	c.Progress, c.Workers = cmp.Or(c.Progress, new(Progress)), max(c.Workers, 1)
	if err := errors.Join(c.Grid.check(), CheckFree(c.Out)); err != nil {
		return Report{}, err
	}
	f, err := openWorkFolder(c.Out, c.Job)
	if err != nil {
		return Report{}, err
	}
	defer f.unlock()
	if exists(c.Out) {
		report, err = f.report()
		return report, errors.Join(err, f.remove())
	}
	if c.Prepare != nil {
		if err := c.Prepare(ctx); err != nil {
			return Report{}, err
		}
	}
	if err := c.renderShards(ctx, f); err != nil {
		return Report{}, err
	}
	if report, err = c.join(ctx, f); err != nil {
		return Report{}, err
	}
	return report, f.remove()
}

// join joins the shards into the output, which gets its name when it is complete.
func (c *Config) join(ctx context.Context, f *workFolder) (Report, error) {
	output := f.in(outputName)
	if err := errors.Join(os.RemoveAll(output), os.RemoveAll(f.in(joinedName))); err != nil {
		return Report{}, err
	}
	writer, err := c.Create(output)
	if err != nil {
		return Report{}, err
	}
	j := joining{Config: c, folder: f, to: writer, memory: make([]byte, maxPutBytes)}
	if err := j.all(ctx); err != nil {
		return Report{}, errors.Join(err, writer.Discard())
	}
	if err := writer.Finish(ctx); err != nil {
		return Report{}, errors.Join(err, writer.Discard())
	}
	if err := f.noteJoined(&j.report); err != nil {
		return Report{}, err
	}
	if err := os.Rename(output, f.out); err != nil {
		return Report{}, err
	}
	return j.report, unfinished.SyncFolder(filepath.Dir(f.out)) // before the shards are removed
}
