// Package pool runs independent tasks, such as the decoding of blocks, on a bounded number of
// workers or on a device, and reserves the bytes that they need before anything is allocated.
// Formats call it, and share one pool. It knows neither formats nor codecs, only tasks, bytes and
// errors.
//
// Words: a *task* is a unit of work. A *batch* is a set of independent tasks.
package pool

import (
	"context"
	"sync/atomic"

	"tileserver/gpu/gather"
	"tileserver/internal/threadtime"
)

// Budget bounds the bytes in flight.
type Budget interface {
	// Acquire waits until n bytes are free. It fails immediately if n exceeds the whole budget, and
	// it fails when ctx ends.
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// Config configures a Pool.
type Config struct {
	Workers int    // tasks that run at a time in the whole process; at least 1
	Budget  Budget // for compressed and decoded bytes until the caller hands them on; nil is unbounded

	// Gatherer takes what a device can do of a DeviceBatch. nil means that there is no device.
	Gatherer *gather.Gatherer

	// Clock tells how long tasks compute. nil is threadtime.Now. Tests whose tasks sleep have another.
	Clock func() threadtime.Reading
}

// Pool runs batches on a bounded number of workers.
type Pool struct {
	workers workers
	budget  Budget
	dear    *dearPart        // of budget; nil if that has no bound
	gather  *gather.Gatherer // nil if there is no device
	clock   func() threadtime.Reading
	decoded atomic.Int64
	failed  atomic.Int64
}

// New returns a pool. It starts no goroutine: workers live only during a call.
func New(config Config) *Pool {
	p := &Pool{
		workers: workers{count: max(config.Workers, 1)},
		budget:  config.Budget,
		gather:  config.Gatherer,
		clock:   config.Clock,
	}
	if p.clock == nil {
		p.clock = threadtime.Now
	}
	if bytes := p.MaxReserve(); bytes > 0 {
		p.dear = newDearPart(bytes)
	}
	return p
}

// Stats counts what a pool has done.
type Stats struct {
	Decoded int64 // tasks that succeeded in Decode
	Failed  int64
	Busy    int // workers running now
	Workers int
}

// Stats returns a snapshot of the counters.
func (p *Pool) Stats() Stats {
	return Stats{p.decoded.Load(), p.failed.Load(), p.workers.busyNow(), p.workers.count}
}

// MaxReserve returns the maximum that can ever be reserved. It returns 0 if the budget has no bound
// or does not tell it.
func (p *Pool) MaxReserve() int64 {
	if budget, ok := p.budget.(interface{ Max() int64 }); ok {
		return budget.Max()
	}
	return 0
}
