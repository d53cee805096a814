package pool

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"tileserver/admission"
	"tileserver/decode"
	"tileserver/internal/threadtime"
)

// Batch is a set of independent tasks.
type Batch interface {
	// Len returns the number of tasks.
	Len() int

	// Do runs one task. Several goroutines call it at a time, at most once for each task.
	Do(i int) error
}

// Run runs the tasks of a batch, on a device or on the workers. It returns the first error, as a TaskError
// if a task caused it. After a failure, or once ctx has ended, no further task begins.
func (p *Pool) Run(ctx context.Context, batch Batch) error {
	if b, ok := batch.(DeviceBatch); ok && p.gather != nil && p.gather.MayTake(ctx) {
		if part := b.ForDevice(); part != nil {
			return p.runWhereSooner(ctx, batch, part)
		}
	}
	return p.newRun(ctx, batch).onWorkers(ctx)
}

func (p *Pool) newRun(ctx context.Context, batch Batch) *poolRun {
	return &poolRun{batch: batch, count: batch.Len(), workers: &p.workers, clock: p.clock, rank: rankOf(ctx)}
}

// TaskError is the failure of one task of a call. The caller knows from Index which block it was.
type TaskError struct {
	Index, Count int
	Err          error
}

// Error names the task by its number, counted from 1.
func (e *TaskError) Error() string {
	return fmt.Sprintf("block %d of %d: %v", e.Index+1, e.Count, e.Err)
}

// Unwrap returns the error of the task.
func (e *TaskError) Unwrap() error { return e.Err }

// poolRun is the state of one call, shared by its workers.
type poolRun struct {
	batch   Batch
	count   int
	workers *workers
	clock   func() threadtime.Reading
	rank    rank
	helpers sync.WaitGroup
	next    atomic.Int64 // index of the next task to run
	spent   atomic.Int64 // nanoseconds that tasks computed

	once   sync.Once
	err    error // of the first task that failed; written once, read after all workers have ended
	failed atomic.Bool
}

// onWorkers runs the tasks on the caller's goroutine, and on one more for each slot that is free. The
// caller itself waits for a slot, so every call makes progress however busy the pool is.
func (r *poolRun) onWorkers(ctx context.Context) error {
	if r.count == 0 || r.workers.wait(ctx, r.rank) != nil {
		return context.Cause(ctx)
	}
	return r.all(ctx)
}

// all runs all tasks. The caller has a slot, which is free again when it returns.
func (r *poolRun) all(ctx context.Context) error {
	r.lead(ctx)
	r.helpers.Wait()
	if r.err == nil && int(r.next.Load()) < r.count {
		return context.Cause(ctx)
	}
	return r.err
}

// lead runs tasks on the caller's goroutine, and starts helpers, until no task is left to begin.
// Between tasks it gives way to those of the other rank.
func (r *poolRun) lead(ctx context.Context) {
	for r.hasNext(ctx) {
		r.startHelpers(ctx)
		r.task(ctx)
		if r.hasNext(ctx) && r.workers.mustYield(ctx, r.rank) && r.workers.yield(ctx, r.rank) != nil {
			return
		}
	}
	r.workers.free(r.rank)
}

// startHelpers starts a goroutine for each free slot that a task could use.
func (r *poolRun) startHelpers(ctx context.Context) {
	for left := r.count - 1 - int(r.next.Load()); left > 0 && r.workers.try(ctx, r.rank); left-- {
		r.helpers.Go(func() {
			defer r.workers.free(r.rank)
			for r.hasNext(ctx) {
				if r.task(ctx); r.workers.mustYield(ctx, r.rank) {
					return
				}
			}
		})
	}
}

// computed returns how long tasks computed, all together.
func (r *poolRun) computed() time.Duration { return time.Duration(r.spent.Load()) }

func (r *poolRun) hasNext(ctx context.Context) bool {
	return int(r.next.Load()) < r.count && ctx.Err() == nil && !r.failed.Load()
}

// task runs the next task, unless another worker began the last one meanwhile.
func (r *poolRun) task(ctx context.Context) {
	i := int(r.next.Add(1)) - 1
	if i >= r.count {
		return
	}
	admission.GiveWay(ctx)
	began := r.clock()
	err := doSafely(func() error { return r.batch.Do(i) })
	took := began.Until(r.clock())
	r.spent.Add(int64(took))
	admission.Spend(ctx, took)
	if err != nil {
		r.failed.Store(true)
		r.once.Do(func() { r.err = &TaskError{i, r.count, err} })
	}
}

// errPanicked marks a decoder that panicked on its input. That is a bug of ours, but it must not
// end the process.
var errPanicked = errors.New("decoder panicked")

func doSafely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %w: %v\n%s", decode.ErrCorruptBlock, errPanicked, p, debug.Stack())
		}
	}()
	return do()
}
