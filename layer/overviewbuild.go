package layer

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// build is one run of the builder.
type build struct {
	datasetKey   string // the key of the dataset, which a build that failed long ago must not hold open
	target       string // what it makes
	cancel       context.CancelCauseFunc
	started      time.Time
	fractionBits atomic.Uint64 // of the work that is done, as the bits of a float64

	done      chan struct{}
	err       error     // set when done is closed
	retryTime time.Time // until when it is not tried again; set when done is closed
}

func (b *build) isRunning() bool {
	select {
	case <-b.done:
		return false
	default:
		return true
	}
}

// within waits for the end of a build that began no longer ago than the patience.
func (b *build) waitWithin(ctx context.Context, timeout time.Duration) bool {
	if timeout >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, b.started.Add(timeout))
		defer cancel()
	}
	select {
	case <-b.done:
		return true
	case <-ctx.Done():
		return !b.isRunning()
	}
}

// The least and the most that a client is told to wait.
const (
	minRetryAfter = time.Second
	maxRetryAfter = 30 * time.Second
)

// busy says how far a build is and when to come back.
func (b *build) busyError(layer string) *Error {
	fraction := b.progress()
	remaining := maxRetryAfter
	if fraction > 0 {
		remaining = time.Duration(min(float64(time.Since(b.started))*(1-fraction)/fraction, float64(maxRetryAfter)))
	}
	return &Error{
		Code: Busy, RetryAfter: max(remaining, minRetryAfter),
		Message: fmt.Sprintf("the overviews of layer %q are being made: %d %%", layer, int(100*fraction)),
	}
}

// progress is the part of the work that is done.
func (b *build) progress() float64 {
	return min(max(math.Float64frombits(b.fractionBits.Load()), 0), 1)
}
