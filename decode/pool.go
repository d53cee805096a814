package decode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
	Workers int          // pieces of work done at a time in the whole process; at least 1
	Budget  Budget       // for compressed and decoded bytes until they are handed on; nil is unbounded
	Device  gpu.Executor // runs a DeviceBatch, and the jobs of a BatchCodec; nil or gpu.None is no device
}

// Pool decodes blocks, and does other independent pieces of work, on a bounded number
// of workers.
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
	Decoded int64 // blocks, by Decode
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

// Decode runs jobs of one compression. It returns those that are corrupt, ordered by their index; what
// they have decoded of their targets means nothing. Any other failure is an error, a JobError if it is
// that of a job: then no other job is begun, nor once ctx has ended. A decoder that panics is a fault
// of ours and no proof that the block is corrupt.
func (p *Pool) Decode(ctx context.Context, c Compression, jobs []Job) (corrupt []JobError, err error) {
	codec := p.codecs[c]
	if codec == nil {
		return nil, fmt.Errorf("compression %q: %w", c, ErrUnsupported)
	}
	batch := &jobBatch{pool: p, codec: codec, jobs: jobs}
	if onDevice, ok := codec.(BatchCodec); ok {
		err = p.Run(ctx, &deviceJobBatch{batch, onDevice})
	} else {
		err = p.Run(ctx, batch)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(batch.corrupt, func(a, b JobError) int { return cmp.Compare(a.Index, b.Index) })
	return batch.corrupt, nil
}

// jobBatch is the jobs of a call of Decode.
type jobBatch struct {
	pool  *Pool
	codec Codec
	jobs  []Job

	mu      sync.Mutex
	corrupt []JobError // guarded by mu
}

func (b *jobBatch) Len() int { return len(b.jobs) }

func (b *jobBatch) Do(i int) error {
	err := doSafely(func() error { return b.codec.Decode(&b.jobs[i]) })
	if err == nil {
		b.pool.decoded.Add(1)
		return nil
	}
	b.pool.failed.Add(1)
	if !errors.Is(err, ErrCorrupt) || errors.Is(err, errPanicked) {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.corrupt = append(b.corrupt, JobError{i, len(b.jobs), err})
	return nil
}

// deviceJobBatch is jobs that a device could run.
type deviceJobBatch struct {
	*jobBatch
	onDevice BatchCodec
}

func (b *deviceJobBatch) DoOnDevice(ctx context.Context, device gpu.Executor) []error {
	pointers := make([]*Job, len(b.jobs))
	for i := range b.jobs {
		pointers[i] = &b.jobs[i]
	}
	errs := b.onDevice.DecodeBatch(ctx, device, pointers)
	for i := range pointers {
		if i >= len(errs) || errs[i] == nil {
			b.pool.decoded.Add(1)
		}
	}
	return errs
}
