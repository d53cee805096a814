package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"
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
	if wait := untilAge(clockGrain, info, asked); wait > 0 {
		time.Sleep(wait)
		return file.Stat()
	}
	return info, nil
}

// untilAge returns the time until the file is untouched for age. asked must be taken before the
// stat call: afterwards, the goroutine may have been descheduled while the file was written.
func untilAge(age time.Duration, info fs.FileInfo, asked time.Time) time.Duration {
	modified := info.ModTime()
	if modified.After(time.Now()) { // set artificially
		return 0
	}
	return age - asked.Sub(modified)
}

const (
	// settleTime is how long a file must be untouched to count as complete. Copying makes no such
	// pauses.
	settleTime = 250 * time.Millisecond

	// maxSettleTime is how long Settle waits at most.
	maxSettleTime = 2 * time.Second
)

// Settle waits until the file at the path, after f has changed, is untouched for a moment. A
// replacement is often written in place, piece by piece; a half-written file looks like any other.
// Settle fails with fs.ErrNotExist if the path leads to nothing, with ErrChanged if the writing
// does not end, and with the error of ctx.
func (f *File) Settle(ctx context.Context) error {
	for began := time.Now(); ; {
		asked := time.Now()
		info, err := os.Stat(f.path)
		if err != nil {
			return fmt.Errorf("source: %w", err)
		}
		wait := untilAge(settleTime, info, asked)
		if wait <= 0 {
			return nil
		}
		if time.Since(began) >= maxSettleTime {
			return fmt.Errorf("%w: %s is being written to", ErrChanged, f.path)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
