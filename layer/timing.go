package layer

import (
	"context"
	"sync/atomic"
	"time"
)

// A Timing has the durations of the steps of one picture. Steps that did not happen are 0. Fields
// are atomic, since another goroutine may render the picture.
type Timing struct {
	Plan, Read, Sample, Render, Encode atomic.Int64 // nanoseconds
	Blocks                             atomic.Int64
}

type timingKey struct{}

// WithTiming returns a context that records the steps of a picture in the Timing.
func WithTiming(ctx context.Context) (context.Context, *Timing) {
	t := new(Timing)
	return context.WithValue(ctx, timingKey{}, t), t
}

// timingOf returns the context's Timing, or an unused one.
func timingOf(ctx context.Context) *Timing {
	if t, ok := ctx.Value(timingKey{}).(*Timing); ok {
		return t
	}
	return new(Timing)
}

func addSince(step *atomic.Int64, since time.Time) { step.Add(int64(time.Since(since))) }
