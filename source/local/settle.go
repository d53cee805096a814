package local

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"tileserver/source"
)

// clockGrain exceeds the resolution of file system clocks, which tick a few hundred times a second.
// Two writes this far apart have different times.
const clockGrain = 20 * time.Millisecond

// statAfterClockTick stats a file once its last write is older than clockGrain. Otherwise a later
// write in the same tick could go unnoticed, and some bytes read could be older than others. If the
// file is still being written, reading it will report the change.
func statAfterClockTick(file *os.File) (fs.FileInfo, error) {
	asked := time.Now()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if wait := untilTick(info, asked); wait > 0 {
		time.Sleep(wait)
		return file.Stat()
	}
	return info, nil
}

// untilTick returns the time until the last write of a file is older than clockGrain. asked must be
// taken before the stat call: afterwards, the goroutine may have been descheduled while the file was
// written.
func untilTick(info fs.FileInfo, asked time.Time) time.Duration {
	modified := info.ModTime()
	if modified.After(time.Now()) { // set artificially
		return 0
	}
	return clockGrain - asked.Sub(modified)
}

const (
	// settleTime is how long a file must be untouched to count as complete. Copying over a network
	// pauses for a second at times.
	settleTime = 2 * time.Second

	// maxSettleTime is how long Settle waits at most. It suffices for a file that was written at once.
	maxSettleTime = 3 * time.Second
)

// Settle waits until the file at the path, after f has changed, and the siblings that were asked for
// are untouched for a moment. A replacement is often written in place, piece by piece, and overviews
// beside a file are; a half-written file looks like any other. Settle fails with fs.ErrNotExist if the
// path leads to nothing, with source.ErrChanged if the writing does not end, and with the error of ctx.
func (f *File) Settle(ctx context.Context) error {
	var earlier family
	for began := time.Now(); ; {
		asked := time.Now()
		seen, err := run(ctx, f.calls, f.storage, f.family)
		if err != nil {
			return fmt.Errorf("source: %w", err)
		}
		wait := f.untilQuiet(seen, asked)
		if earlier == nil && wait <= 0 || earlier != nil && maps.EqualFunc(seen, earlier, isSame) {
			return nil
		}
		if time.Since(began) >= maxSettleTime {
			return fmt.Errorf("%w: %s is being written to", source.ErrChanged, f.path)
		}
		if earlier = seen; wait <= 0 {
			wait = settleTime
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// family is a file and the siblings that were asked for, by their names, as far as they exist.
type family map[string]fs.FileInfo

// family returns what lies at the path and beside it now.
func (f *File) family() (family, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, err
	}
	seen := f.siblings.now()
	seen[filepath.Base(f.path)] = info
	return seen, nil
}

// untilQuiet returns how long all files must be left alone until they count as complete. It is at most 0
// if their dates say that they were.
func (f *File) untilQuiet(seen family, asked time.Time) time.Duration {
	known := f.siblings.known()
	known[filepath.Base(f.path)] = f.opened
	wait := time.Duration(0)
	for name, info := range seen {
		age := asked.Sub(info.ModTime())
		if age < 0 || f.isDatedBack(info, known[name]) {
			age = 0 // the clock of the machine that writes may be wrong
		}
		wait = max(wait, settleTime-age)
	}
	return wait
}

// isDatedBack reports whether a file was written to after f was last seen to be current, with a date
// from before. A file that was moved to its place may be that old.
func (f *File) isDatedBack(now, then fs.FileInfo) bool {
	isWritten := then == nil || os.SameFile(now, then) && !isSame(now, then)
	return isWritten && now.ModTime().Before(time.Unix(0, f.currentAt.Load()))
}
