package local

import (
	"context"
	"fmt"
	"io/fs"
	"os"
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

// Settle waits until the file at the path, after f has changed, is untouched for a moment. A
// replacement is often written in place, piece by piece; a half-written file looks like any other.
// Settle fails with fs.ErrNotExist if the path leads to nothing, with source.ErrChanged if the
// writing does not end, and with the error of ctx.
func (f *File) Settle(ctx context.Context) error {
	var earlier *source.State
	for began := time.Now(); ; {
		asked := time.Now()
		info, err := run(ctx, f.calls, f.storage, func() (fs.FileInfo, error) { return os.Stat(f.path) })
		if err != nil {
			return fmt.Errorf("source: %w", err)
		}
		state := stateOf(info)
		if state.IsComplete(earlier, settleTime, asked) {
			return nil
		}
		if time.Since(began) >= maxSettleTime {
			return fmt.Errorf("%w: %s is being written to", source.ErrChanged, f.path)
		}
		earlier = &state
		select {
		case <-time.After(untilQuiet(info, asked)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// untilQuiet returns how long to wait before a file that is not complete is looked at again.
func untilQuiet(info fs.FileInfo, asked time.Time) time.Duration {
	age := asked.Sub(info.ModTime())
	if age < 0 || age >= settleTime {
		return settleTime
	}
	return settleTime - age
}
