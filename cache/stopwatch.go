package cache

import (
	"context"
	"sync/atomic"
	"time"
)

// stopwatch measures what a load costs: the time that it takes, without the time that it waits for its
// turn. Loads within it count, since they may have to be repeated with it.
type stopwatch struct {
	outer  *stopwatch // of the load that this one is part of, or nil
	began  time.Time
	waited atomic.Int64 // nanoseconds
}

type stopwatchKey struct{}

func stopwatchOf(ctx context.Context) *stopwatch {
	s, _ := ctx.Value(stopwatchKey{}).(*stopwatch)
	return s
}

// startStopwatch returns a context for a load, and its stopwatch.
func startStopwatch(ctx context.Context) (context.Context, *stopwatch) {
	s := &stopwatch{outer: stopwatchOf(ctx), began: time.Now()}
	return context.WithValue(ctx, stopwatchKey{}, s), s
}

func (s *stopwatch) cost() time.Duration {
	return max(0, time.Since(s.began)-time.Duration(s.waited.Load()))
}

// Waited records that the load of a context waited for so long before it could work. A value is not
// worth more because the server was busy when it was loaded. Outside a load, Waited does nothing.
func Waited(ctx context.Context, duration time.Duration) {
	for s := stopwatchOf(ctx); s != nil; s = s.outer {
		s.waited.Add(int64(duration))
	}
}
