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

// Budget bounds the bytes in flight.
type Budget interface {
	// Acquire waits until n bytes are free. It fails immediately if n exceeds the whole budget, and
	// it fails when ctx ends.
	Acquire(ctx context.Context, n int64) error
	Release(n int64)
}

// PoolConfig configures a Pool.
type PoolConfig struct {
	Codecs  Registry
	Workers int          // tasks that run at a time in the whole process; at least 1
	Budget  Budget       // for compressed and decoded bytes until the caller hands them on; nil is unbounded
	Device  gpu.Executor // runs a DeviceBatch and the jobs of a BatchCodec; nil or gpu.None means no device
}

// Pool decodes blocks and runs other independent tasks on a bounded number of workers.
type Pool struct {
	codecs  Registry
	slots   chan struct{}
	budget  Budget
	device  gpu.Executor
	decoded atomic.Int64
	failed  atomic.Int64
}

// NewPool returns a pool. It starts no goroutine: workers live only during a call.
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
	Decoded int64 // blocks decoded by Decode
	Failed  int64
	Busy    int // workers running now
	Workers int
}

// Stats returns a snapshot of the counters.
func (p *Pool) Stats() PoolStats {
	return PoolStats{p.decoded.Load(), p.failed.Load(), len(p.slots), cap(p.slots)}
}

// Reserve waits for n bytes of the budget and returns a function that releases them. Call it before
// allocating, once for everything that a batch needs: two callers that each hold some bytes and
// wait for more can block each other.
func (p *Pool) Reserve(ctx context.Context, n int64) (release func(), err error) {
	if p.budget == nil {
		return func() {}, nil
	}
	if err := p.budget.Acquire(ctx, n); err != nil {
		return nil, fmt.Errorf("reserving %d bytes to decode into: %w", n, err)
	}
	return func() { p.budget.Release(n) }, nil
}

// MaxReserve returns the maximum that can ever be reserved. It returns 0 if the budget has no bound
// or does not tell it.
func (p *Pool) MaxReserve() int64 {
	if budget, ok := p.budget.(interface{ Max() int64 }); ok {
		return budget.Max()
	}
	return 0
}

// Decode runs jobs of one compression. It returns the corrupt ones, ordered by index; the contents
// of their targets are undefined. Any other failure is returned as err, as a JobError if one job
// caused it. After such a failure, or once ctx has ended, no further job begins. A panic of a
// decoder is a bug and no proof that the block is corrupt, so it is returned as err.
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

// jobBatch runs the jobs of one call of Decode.
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

// deviceJobBatch is a jobBatch that a device can run.
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
