package decode

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"tileserver/gpu"
)

// Batch is independent pieces of work.
type Batch interface {
	// Len is how many pieces there are.
	Len() int

	// Do does one of them. It is called by several goroutines at a time, at most once
	// for each piece.
	Do(i int) error
}

// DeviceBatch is a Batch that a device could do instead.
type DeviceBatch interface {
	Batch

	// DoOnDevice does what it can of all pieces, and returns one error a piece: those
	// that have one are done by Do.
	DoOnDevice(ctx context.Context, device gpu.Executor) []error
}

// Run does the pieces of a batch, on the device where there is one and the batch is for
// it, and returns the first error: a JobError if it is that of a piece. Once one has
// failed, or ctx has ended, no other is begun.
func (p *Pool) Run(ctx context.Context, batch Batch) error {
	if onDevice, ok := batch.(DeviceBatch); ok && p.device.FreeBytes() > 0 {
		return p.runOnDevice(ctx, onDevice)
	}
	return p.runOnWorkers(ctx, batch)
}

// runOnDevice gives all pieces to the device, and those that it could not do to the
// workers.
func (p *Pool) runOnDevice(ctx context.Context, batch DeviceBatch) error {
	errs := batch.DoOnDevice(ctx, p.device)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	again := &pieces{batch: batch}
	for i, err := range errs {
		if err != nil {
			again.places = append(again.places, i)
		}
	}
	err := p.runOnWorkers(ctx, again)
	if failed := new(JobError); errors.As(err, &failed) {
		failed.Index, failed.Count = again.places[failed.Index], batch.Len()
	}
	return err
}

// pieces is some of the pieces of a batch.
type pieces struct {
	batch  Batch
	places []int
}

func (s *pieces) Len() int       { return len(s.places) }
func (s *pieces) Do(i int) error { return s.batch.Do(s.places[i]) }

// runOnWorkers does the pieces on the caller's goroutine and on as many more as there
// are free slots for. The caller always waits for a slot itself, so that a call makes
// progress however busy the pool is.
func (p *Pool) runOnWorkers(ctx context.Context, batch Batch) error {
	count := batch.Len()
	if count == 0 {
		return context.Cause(ctx)
	}
	run := poolRun{batch: batch, count: count}
	var helpers sync.WaitGroup
	for range count - 1 {
		if !p.trySlot() {
			break
		}
		helpers.Go(func() {
			defer p.freeSlot()
			run.work(ctx)
		})
	}
	if err := p.waitSlot(ctx); err == nil {
		run.work(ctx)
		p.freeSlot()
	}
	helpers.Wait()
	if run.err == nil && int(run.next.Load()) < count {
		return context.Cause(ctx)
	}
	return run.err
}

func (p *Pool) trySlot() bool {
	select {
	case p.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

func (p *Pool) waitSlot(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Pool) freeSlot() { <-p.slots }

// JobError is the failure of one of the pieces of a call, for a caller that can say
// which block that was.
type JobError struct {
	Index, Count int
	Err          error
}

// Error names the piece by its place.
func (e *JobError) Error() string {
	return fmt.Sprintf("block %d of %d: %v", e.Index+1, e.Count, e.Err)
}

// Unwrap is what was said of the piece.
func (e *JobError) Unwrap() error { return e.Err }

// poolRun is one call's batch, shared by the workers that take from it.
type poolRun struct {
	batch Batch
	count int
	next  atomic.Int64 // the first piece that nobody has taken

	once   sync.Once
	err    error // of the first piece that failed; written once, read when all have ended
	failed atomic.Bool
}

func (r *poolRun) work(ctx context.Context) {
	for ctx.Err() == nil && !r.failed.Load() {
		i := int(r.next.Add(1)) - 1
		if i >= r.count {
			return
		}
		if err := doSafely(func() error { return r.batch.Do(i) }); err != nil {
			r.failed.Store(true)
			r.once.Do(func() { r.err = &JobError{i, r.count, err} })
			return
		}
	}
}

// errPanicked marks a decoder that broke on its input, which is a fault of ours
// but must not end the process.
var errPanicked = errors.New("decoder panicked")

func doSafely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %w: %v\n%s", ErrCorrupt, errPanicked, p, debug.Stack())
		}
	}()
	return do()
}
