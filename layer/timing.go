package layer

import (
	"context"
	"sync/atomic"
	"time"
)

// Timing is how long the steps of one picture took. A step that did not happen
// is 0. The picture may be made on another goroutine, so the fields are atomic.
type Timing struct {
	Plan, Read, Sample, Render, Encode atomic.Int64 // nanoseconds
	Blocks                             atomic.Int64
}

type timingKey struct{}

// WithTiming returns a context under which the steps of a picture are noted.
func WithTiming(ctx context.Context) (context.Context, *Timing) {
	t := new(Timing)
	return context.WithValue(ctx, timingKey{}, t), t
}

// timingOf is the context's Timing, or one that nobody looks at.
func timingOf(ctx context.Context) *Timing {
	if t, ok := ctx.Value(timingKey{}).(*Timing); ok {
		return t
	}
	return new(Timing)
}

func addSince(step *atomic.Int64, since time.Time) { step.Add(int64(time.Since(since))) }
