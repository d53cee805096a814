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
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	age := time.Since(info.ModTime())
	if age < 0 || age >= clockGrain { // a time to come is one that somebody has set
		return info, nil
	}
	time.Sleep(clockGrain - age)
	return file.Stat()
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
		info, err := os.Stat(f.path)
		if err != nil {
			return fmt.Errorf("source: %w", err)
		}
		age := time.Since(info.ModTime())
		if age < 0 || age >= settleTime {
			return nil
		}
		if time.Since(began) >= maxSettleTime {
			return fmt.Errorf("%w: %s is being written to", ErrChanged, f.path)
		}
		select {
		case <-time.After(settleTime - age):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
