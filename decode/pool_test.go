package decode

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"tileserver/gpu"
)

// fakeCodec counts its calls and runs the given functions.
type fakeCodec struct {
	decode        func(job *Job) error
	calls         atomic.Int64
	running, most atomic.Int64
}

func (c *fakeCodec) Decode(job *Job) error {
	c.calls.Add(1)
	now := c.running.Add(1)
	defer c.running.Add(-1)
	for {
		most := c.most.Load()
		if now <= most || c.most.CompareAndSwap(most, now) {
			break
		}
	}
	if c.decode == nil {
		return nil
	}
	return c.decode(job)
}

func fakePool(workers int, codec Codec) *Pool {
	return NewPool(PoolConfig{Codecs: Registry{"fake": codec}, Workers: workers})
}

// jobsNumbered returns jobs that carry their number in Rows.
func jobsNumbered(n int) []Job {
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i].Rows = i
	}
	return jobs
}

func TestPoolBoundsWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		codec := &fakeCodec{decode: func(*Job) error { <-gate; return nil }}
		pool := fakePool(3, codec)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				if _, err := pool.Decode(t.Context(), "fake", jobsNumbered(5)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if busy := pool.Stats().Busy; busy != 3 || codec.running.Load() != 3 {
			t.Errorf("%d workers busy, %d blocks being decoded, want 3", busy, codec.running.Load())
		}
		close(gate)
		calls.Wait()
		if codec.most.Load() != 3 || codec.calls.Load() != 20 {
			t.Errorf("%d blocks decoded, %d at a time, want 20 and 3", codec.calls.Load(), codec.most.Load())
		}
		if got, want := pool.Stats(), (PoolStats{Decoded: 20, Workers: 3}); got != want {
			t.Errorf("counted %+v, want %+v", got, want)
		}
	})
}

func TestPoolStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the viewer panned away")
	codec := &fakeCodec{}
	codec.decode = func(job *Job) error {
		if job.Rows == 2 {
			cancel(gone)
		}
		return nil
	}
	_, err := fakePool(1, codec).Decode(ctx, "fake", jobsNumbered(10))
	if !errors.Is(err, gone) || codec.calls.Load() != 3 {
		t.Errorf("got %v after %d blocks, want %v after 3", err, codec.calls.Load(), gone)
	}
}

func TestPoolWaitingForWorkerCanLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		codec := &fakeCodec{decode: func(*Job) error { <-gate; return nil }}
		pool := fakePool(1, codec)
		var first sync.WaitGroup
		first.Go(func() { pool.Decode(t.Context(), "fake", jobsNumbered(1)) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { _, err := pool.Decode(ctx, "fake", jobsNumbered(1)); left <- err }()
		synctest.Wait()
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		close(gate)
		first.Wait()
	})
}

func TestPoolDoneBeforeCancelIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	codec := &fakeCodec{decode: func(*Job) error { cancel(); return nil }}
	if _, err := fakePool(1, codec).Decode(ctx, "fake", jobsNumbered(1)); err != nil {
		t.Errorf("all blocks decoded, but got %v", err)
	}
}

func TestPoolReportsFirstError(t *testing.T) {
	broken := errors.New("broken")
	codec := &fakeCodec{decode: func(job *Job) error {
		if job.Rows == 4 {
			return fmt.Errorf("%w: %w", ErrUnsupported, broken)
		}
		return nil
	}}
	pool := fakePool(1, codec)
	_, err := pool.Decode(t.Context(), "fake", jobsNumbered(9))
	if !errors.Is(err, ErrUnsupported) || !errors.Is(err, broken) || !strings.Contains(err.Error(), "block 5 of 9") {
		t.Errorf("got %v, want one of block 5 of 9 that is %v", err, broken)
	}
	if failed := new(JobError); !errors.As(err, &failed) || failed.Index != 4 {
		t.Errorf("got %+v, want the index 4", failed)
	}
	if got, want := pool.Stats(), (PoolStats{Decoded: 4, Failed: 1, Workers: 1}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestPoolGoesOnWhereBlocksAreCorrupt(t *testing.T) {
	codec := &fakeCodec{decode: func(job *Job) error {
		if job.Rows%3 == 1 {
			return fmt.Errorf("row %d: %w", job.Rows, ErrCorrupt)
		}
		return nil
	}}
	pool := fakePool(3, codec)
	corrupt, err := pool.Decode(t.Context(), "fake", jobsNumbered(9))
	if err != nil || len(corrupt) != 3 || corrupt[0].Index != 1 || corrupt[1].Index != 4 || corrupt[2].Index != 7 || !errors.Is(corrupt[2].Err, ErrCorrupt) {
		t.Errorf("got %v, %v, want that 1, 4 and 7 are corrupt", corrupt, err)
	}
	if got, want := pool.Stats(), (PoolStats{Decoded: 6, Failed: 3, Workers: 3}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestPoolSurvivesPanics(t *testing.T) {
	codec := &fakeCodec{decode: func(job *Job) error { return []error{nil}[job.Rows] }}
	pool := fakePool(2, codec)
	corrupt, err := pool.Decode(t.Context(), "fake", jobsNumbered(2))
	if len(corrupt) > 0 || !errors.Is(err, ErrCorrupt) || !errors.Is(err, errPanicked) {
		t.Errorf("got %v, %v, want %v", corrupt, err, errPanicked)
	}
	if busy := pool.Stats().Busy; busy != 0 {
		t.Errorf("%d workers were never released", busy)
	}
}

func TestPoolUnknownCompression(t *testing.T) {
	pool := fakePool(1, &fakeCodec{})
	if _, err := pool.Decode(t.Context(), "other", jobsNumbered(1)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("got %v, want %v", err, ErrUnsupported)
	}
	if _, err := pool.Decode(t.Context(), "fake", nil); err != nil {
		t.Errorf("no jobs: %v", err)
	}
}

// fakeDevice is a device on which jobs with odd numbers fail.
type fakeDevice struct{ gpu.None }

func (fakeDevice) FreeBytes() int64 { return 1 << 20 }

type fakeBatchCodec struct {
	fakeCodec
	batched []int
	again   []int
}

func (c *fakeBatchCodec) DecodeBatch(_ context.Context, _ gpu.Executor, jobs []*Job) []error {
	errs := make([]error, len(jobs))
	for i, job := range jobs {
		c.batched = append(c.batched, job.Rows)
		if job.Rows%2 == 1 {
			errs[i] = ErrCorrupt
		}
	}
	return errs
}

func TestPoolGivesJobsToDevice(t *testing.T) {
	codec := &fakeBatchCodec{}
	codec.decode = func(job *Job) error { codec.again = append(codec.again, job.Rows); return nil }
	pool := NewPool(PoolConfig{Codecs: Registry{"fake": codec}, Workers: 1, Device: fakeDevice{}})
	if _, err := pool.Decode(t.Context(), "fake", jobsNumbered(4)); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(codec.batched) != "[0 1 2 3]" || fmt.Sprint(codec.again) != "[1 3]" {
		t.Errorf("the device ran %v, the CPU %v, want all and [1 3]", codec.batched, codec.again)
	}
	if got := pool.Stats().Decoded; got != 4 {
		t.Errorf("counted %d blocks, want 4", got)
	}
	codec.decode = func(job *Job) error { return []error{1: nil, 3: ErrCorrupt}[job.Rows] }
	corrupt, err := pool.Decode(t.Context(), "fake", jobsNumbered(4))
	if err != nil || len(corrupt) != 1 || corrupt[0].Index != 3 || corrupt[0].Count != 4 {
		t.Errorf("got %v, %v, want that the last of 4 is corrupt", corrupt, err)
	}
}

func TestPoolWithoutDeviceUsesCPU(t *testing.T) {
	codec := &fakeBatchCodec{}
	if _, err := fakePool(1, codec).Decode(t.Context(), "fake", jobsNumbered(3)); err != nil {
		t.Fatal(err)
	}
	if len(codec.batched) != 0 || codec.calls.Load() != 3 {
		t.Errorf("%d jobs went to no device, %d to the CPU, want 0 and 3", len(codec.batched), codec.calls.Load())
	}
}

// fakeBudget is a budget of ten bytes.
type fakeBudget struct{ taken int64 }

var errOverBudget = errors.New("over the budget")

func (b *fakeBudget) Acquire(_ context.Context, n int64) error {
	if b.taken+n > 10 {
		return errOverBudget
	}
	b.taken += n
	return nil
}

func (b *fakeBudget) Release(n int64) { b.taken -= n }

func TestPoolReserves(t *testing.T) {
	budget := &fakeBudget{}
	pool := NewPool(PoolConfig{Budget: budget})
	release, err := pool.Reserve(t.Context(), 7)
	if err != nil || budget.taken != 7 {
		t.Fatalf("%v, %d bytes reserved, want 7", err, budget.taken)
	}
	if _, err := pool.Reserve(t.Context(), 4); !errors.Is(err, errOverBudget) || !strings.Contains(err.Error(), "4 bytes") {
		t.Errorf("got %v, want %v of 4 bytes", err, errOverBudget)
	}
	release()
	if budget.taken != 0 {
		t.Errorf("%d bytes were never released", budget.taken)
	}
	if release, err := fakePool(1, nil).Reserve(t.Context(), 1<<60); err != nil {
		t.Errorf("without a budget: %v", err)
	} else {
		release()
	}
}

// knownBudget is a budget that reports its size.
type knownBudget struct{ fakeBudget }

func (b *knownBudget) Max() int64 { return 10 }

func TestPoolTellsItsBudget(t *testing.T) {
	for _, test := range []struct {
		name   string
		budget Budget
		want   int64
	}{{"none", nil, 0}, {"one that does not tell", &fakeBudget{}, 0}, {"one that tells", &knownBudget{}, 10}} {
		if got := NewPool(PoolConfig{Budget: test.budget}).MaxReserve(); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
