package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// clockGrain is more than what the clocks of file systems go by, those of a few hundred ticks a second: two writes that
// far apart have different times.
const clockGrain = 20 * time.Millisecond

// statOnceTimeTells looks at a file when so much time has passed since it was written to that its time will tell the next
// write: of a file that is read within the same tick as it is written, some bytes might be older than others, and the
// time the same. A file that is written to all the while will be seen to have changed when it is read.
func statOnceTimeTells(file *os.File) (fs.FileInfo, error) {
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

// untilAge returns how long it takes until what info tells of has been left alone for so long. The time must be from before
// the system was asked: afterwards, a process may have had to wait for its turn while the file was written to.
func untilAge(age time.Duration, info fs.FileInfo, asked time.Time) time.Duration {
	modified := info.ModTime()
	if modified.After(time.Now()) { // it is one that somebody has set
		return 0
	}
	return age - asked.Sub(modified)
}

const (
	// settleTime is how long a file must have been left alone to be taken for whole: copying goes on without such pauses.
	settleTime = 250 * time.Millisecond

	// maxSettleTime is how long Settle waits at most.
	maxSettleTime = 2 * time.Second
)

// Settle waits until what the path leads to, after f has changed, has been left alone for a moment: what takes the place
// of a file is often written where it is, piece by piece, and between two pieces it is a mixture that nothing gives away.
// It fails with fs.ErrNotExist if there is nothing, with ErrChanged if the writing does not end, and with the error of ctx.
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
