package overviewbuild

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// A build is one background build of overviews.
type build struct {
	datasetKey   string // the dataset's key; a failed build must not keep the dataset open
	target       string // identifies the overviews that it builds
	isRequested  bool   // whether only requests need them
	cancel       context.CancelCauseFunc
	started      time.Time
	fractionBits atomic.Uint64 // fraction done, as the bits of a float64
	waiters      int           // callers of AwaitUntil that wait; guarded by Builder.mu

	done      chan struct{}
	err       error     // valid after done is closed
	retryTime time.Time // earliest retry after a failure; valid after done is closed
}

func (b *build) isRunning() bool {
	select {
	case <-b.done:
		return false
	default:
		return true
	}
}

// waitWithin waits for the end of the build, but not beyond timeout after its start. It reports
// whether the build has ended. A negative timeout means no limit.
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

// waitUntil waits for the end of the build, or of timeout.
func (b *build) waitUntil(ctx context.Context, timeout <-chan time.Time, layer string) error {
	select {
	case <-b.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timeout:
		if b.isRunning() {
			return b.busyError(layer)
		}
	}
	if b.err != nil {
		return fmt.Errorf("building overviews: %w", b.err)
	}
	return nil
}

// The bounds of the retry time sent to clients.
const (
	minRetryAfter = time.Second
	maxRetryAfter = 30 * time.Second
)

// busyError returns an error with the progress of the build and an estimate of the remaining time.
func (b *build) busyError(layer string) *BusyError {
	fraction := b.progress()
	remaining := maxRetryAfter
	if fraction > 0 {
		remaining = time.Duration(min(float64(time.Since(b.started))*(1-fraction)/fraction, float64(maxRetryAfter)))
	}
	return &BusyError{
		RetryAfter: max(remaining, minRetryAfter),
		Message:    fmt.Sprintf("the overviews of layer %q are being built: %d %%", layer, int(100*fraction)),
	}
}

// progress returns the fraction of the work that is done.
func (b *build) progress() float64 {
	return min(max(math.Float64frombits(b.fractionBits.Load()), 0), 1)
}
