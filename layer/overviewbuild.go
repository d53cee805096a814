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
	version string // the key of the dataset, which a build that failed long ago must not hold open
	target  string // what it makes
	cancel  context.CancelCauseFunc
	started time.Time
	part    atomic.Uint64 // of the work that is done, as the bits of a float64

	done chan struct{}
	err  error     // set when done is closed
	rest time.Time // until when it is not tried again; set when done is closed
}

func (b *build) goesOn() bool {
	select {
	case <-b.done:
		return false
	default:
		return true
	}
}

// within waits for the end of a build that began no longer ago than the patience.
func (b *build) within(ctx context.Context, patience time.Duration) bool {
	if patience >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, b.started.Add(patience))
		defer cancel()
	}
	select {
	case <-b.done:
		return true
	case <-ctx.Done():
		return !b.goesOn()
	}
}

// The least and the most that a client is told to wait.
const (
	minRetry = time.Second
	maxRetry = 30 * time.Second
)

// busy says how far a build is and when to come back.
func (b *build) busy(layer string) *Error {
	part := b.progress()
	left := maxRetry
	if part > 0 {
		left = time.Duration(min(float64(time.Since(b.started))*(1-part)/part, float64(maxRetry)))
	}
	return &Error{
		Code: Busy, RetryAfter: max(left, minRetry),
		Message: fmt.Sprintf("the overviews of layer %q are being made: %d %%", layer, int(100*part)),
	}
}

// progress is the part of the work that is done.
func (b *build) progress() float64 { return min(max(math.Float64frombits(b.part.Load()), 0), 1) }
