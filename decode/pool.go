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

// Budget is a bound on bytes in flight.
type Budget interface {
	// Acquire waits until n bytes are free. It fails at once if n is over the
	// whole budget, and when ctx ends.
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// PoolConfig is what a Pool is made of.
type PoolConfig struct {
	Codecs  Registry
	Workers int          // blocks decoded at a time in the whole process; at least 1
	Budget  Budget       // for compressed and decoded bytes until they are handed on; nil is unbounded
	Device  gpu.Executor // runs the jobs of a BatchCodec; nil or gpu.None is no device
}

// Pool decodes blocks on a bounded number of workers.
type Pool struct {
	codecs  Registry
	slots   chan struct{}
	budget  Budget
	device  gpu.Executor
	decoded atomic.Int64
	failed  atomic.Int64
}

// NewPool returns a pool that has started nothing: workers live as long as a call.
func NewPool(config PoolConfig) *Pool {
	p := &Pool{
		codecs: config.Codecs,
		slots:  make(chan struct{}, max(config.Workers, 1)),
		budget: config.Budget,
		device: config.Device,
	}
	if p.device == nil {
		p.device = gpu.None{}
	}
	return p
}

// PoolStats counts what a pool has done.
type PoolStats struct {
	Decoded int64 // blocks
	Failed  int64
	Busy    int // workers at this moment
	Workers int
}

// Stats is a snapshot of the counters.
func (p *Pool) Stats() PoolStats {
	return PoolStats{p.decoded.Load(), p.failed.Load(), len(p.slots), cap(p.slots)}
}

// Supports tells whether there is a codec for c.
func (p *Pool) Supports(c Compression) bool { return p.codecs[c] != nil }

// Reserve waits for n bytes of the budget and returns what gives them back.
// Reserve before allocating, once for all that a batch needs: a caller that
// holds some and waits for more can starve others that do the same.
func (p *Pool) Reserve(ctx context.Context, n int64) (release func(), err error) {
	if p.budget == nil {
		return func() {}, nil
	}
	if err := p.budget.Acquire(ctx, n); err != nil {
		return nil, fmt.Errorf("reserving %d bytes to decode into: %w", n, err)
	}
	return func() { p.budget.Release(n) }, nil
}

// MaxReserve is the most that can ever be reserved, or 0 if there is no bound or
// the budget does not tell.
func (p *Pool) MaxReserve() int64 {
	if budget, ok := p.budget.(interface{ Max() int64 }); ok {
		return budget.Max()
	}
	return 0
}

// Decode runs jobs of one compression and returns the first error, a JobError
// if it is that of a job. Once one has failed, or ctx has ended, no other is begun.
func (p *Pool) Decode(ctx context.Context, c Compression, jobs []Job) error {
	codec := p.codecs[c]
	if codec == nil {
		return fmt.Errorf("compression %q: %w", c, ErrUnsupported)
	}
	if batch, ok := codec.(BatchCodec); ok && p.device.FreeBytes() > 0 {
		return p.decodeOnDevice(ctx, batch, jobs)
	}
	return p.decodeOnWorkers(ctx, codec, jobs)
}

// decodeOnDevice gives all jobs to the device, and those that it could not do
// to the workers.
func (p *Pool) decodeOnDevice(ctx context.Context, codec BatchCodec, jobs []Job) error {
	pointers := make([]*Job, len(jobs))
	for i := range jobs {
		pointers[i] = &jobs[i]
	}
	errs := codec.DecodeBatch(ctx, p.device, pointers)
	if err := context.Cause(ctx); err != nil {
		return err
	}
	var again []Job
	var places []int // in jobs
	for i, err := range errs {
		if err != nil {
			again, places = append(again, jobs[i]), append(places, i)
		}
	}
	p.decoded.Add(int64(len(jobs) - len(again)))
	err := p.decodeOnWorkers(ctx, codec, again)
	if failed := new(JobError); errors.As(err, &failed) {
		failed.Index, failed.Count = places[failed.Index], len(jobs)
	}
	return err
}

// decodeOnWorkers runs jobs on the caller's goroutine and on as many more as
// there are free slots for. The caller always waits for a slot itself, so that
// a call makes progress however busy the pool is.
func (p *Pool) decodeOnWorkers(ctx context.Context, codec Codec, jobs []Job) error {
	if len(jobs) == 0 {
		return context.Cause(ctx)
	}
	run := poolRun{pool: p, codec: codec, jobs: jobs}
	var helpers sync.WaitGroup
	for range len(jobs) - 1 {
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
	if run.err == nil && int(run.next.Load()) < len(jobs) {
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

// JobError is the failure of one of the jobs of a call, for a caller that can say
// which block that was.
type JobError struct {
	Index, Count int
	Err          error
}

// Error names the job by its place.
func (e *JobError) Error() string {
	return fmt.Sprintf("block %d of %d: %v", e.Index+1, e.Count, e.Err)
}

// Unwrap is what the codec said.
func (e *JobError) Unwrap() error { return e.Err }

// poolRun is one call's jobs, shared by the workers that take from it.
type poolRun struct {
	pool  *Pool
	codec Codec
	jobs  []Job
	next  atomic.Int64 // the first job that nobody has taken

	once   sync.Once
	err    error // of the first job that failed; written once, read when all have ended
	failed atomic.Bool
}

func (r *poolRun) work(ctx context.Context) {
	for ctx.Err() == nil && !r.failed.Load() {
		i := int(r.next.Add(1)) - 1
		if i >= len(r.jobs) {
			return
		}
		if err := decodeSafely(r.codec, &r.jobs[i]); err != nil {
			r.pool.failed.Add(1)
			r.failed.Store(true)
			r.once.Do(func() { r.err = &JobError{i, len(r.jobs), err} })
			return
		}
		r.pool.decoded.Add(1)
	}
}

// errPanicked marks a codec that broke on its input, which is a fault of ours
// but must not end the process.
var errPanicked = errors.New("decoder panicked")

func decodeSafely(codec Codec, job *Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %w: %v\n%s", ErrCorrupt, errPanicked, p, debug.Stack())
		}
	}()
	return codec.Decode(job)
}
