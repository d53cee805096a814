package pool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"tileserver/decode"
)

// countingBatch counts the calls of its tasks and runs the given function.
type countingBatch struct {
	count         int
	do            func(i int) error
	calls         atomic.Int64
	running, most atomic.Int64
}

func (b *countingBatch) Len() int { return b.count }

func (b *countingBatch) Do(i int) error {
	b.calls.Add(1)
	now := b.running.Add(1)
	defer b.running.Add(-1)
	for {
		most := b.most.Load()
		if now <= most || b.most.CompareAndSwap(most, now) {
			break
		}
	}
	if b.do == nil {
		return nil
	}
	return b.do(i)
}

func poolOf(workers int) *Pool { return New(Config{Workers: workers}) }

func TestPoolBoundsWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		batch := &countingBatch{count: 5, do: func(int) error { <-gate; return nil }}
		pool := poolOf(3)
		var calls sync.WaitGroup
		for range 4 {
			calls.Go(func() {
				if _, err := pool.Decode(t.Context(), batch); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if busy := pool.Stats().Busy; busy != 3 || batch.running.Load() != 3 {
			t.Errorf("%d workers busy, %d tasks running, want 3", busy, batch.running.Load())
		}
		close(gate)
		calls.Wait()
		if batch.most.Load() != 3 || batch.calls.Load() != 20 {
			t.Errorf("%d tasks ran, %d at a time, want 20 and 3", batch.calls.Load(), batch.most.Load())
		}
		if got, want := pool.Stats(), (Stats{Decoded: 20, Workers: 3}); got != want {
			t.Errorf("counted %+v, want %+v", got, want)
		}
	})
}

func TestPoolStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the viewer panned away")
	batch := &countingBatch{count: 10, do: func(i int) error {
		if i == 2 {
			cancel(gone)
		}
		return nil
	}}
	_, err := poolOf(1).Decode(ctx, batch)
	if !errors.Is(err, gone) || batch.calls.Load() != 3 {
		t.Errorf("got %v after %d tasks, want %v after 3", err, batch.calls.Load(), gone)
	}
}

func TestPoolWaitingForWorkerCanLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		batch := &countingBatch{count: 1, do: func(int) error { <-gate; return nil }}
		pool := poolOf(1)
		var first sync.WaitGroup
		first.Go(func() { pool.Decode(t.Context(), batch) })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { _, err := pool.Decode(ctx, batch); left <- err }()
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
	batch := &countingBatch{count: 1, do: func(int) error { cancel(); return nil }}
	if _, err := poolOf(1).Decode(ctx, batch); err != nil {
		t.Errorf("all tasks ran, but got %v", err)
	}
}

func TestPoolReportsFirstError(t *testing.T) {
	broken := errors.New("broken")
	batch := &countingBatch{count: 9, do: func(i int) error {
		if i == 4 {
			return fmt.Errorf("%w: %w", decode.ErrUnsupported, broken)
		}
		return nil
	}}
	pool := poolOf(1)
	_, err := pool.Decode(t.Context(), batch)
	if !errors.Is(err, decode.ErrUnsupported) || !errors.Is(err, broken) || !strings.Contains(err.Error(), "block 5 of 9") {
		t.Errorf("got %v, want one of block 5 of 9 that is %v", err, broken)
	}
	if failed := new(TaskError); !errors.As(err, &failed) || failed.Index != 4 {
		t.Errorf("got %+v, want the index 4", failed)
	}
	if got, want := pool.Stats(), (Stats{Decoded: 4, Failed: 1, Workers: 1}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestPoolGoesOnWhereBlocksAreCorrupt(t *testing.T) {
	batch := &countingBatch{count: 9, do: func(i int) error {
		if i%3 == 1 {
			return fmt.Errorf("row %d: %w", i, decode.ErrCorruptBlock)
		}
		return nil
	}}
	pool := poolOf(3)
	corrupt, err := pool.Decode(t.Context(), batch)
	if err != nil || len(corrupt) != 3 || corrupt[0].Index != 1 || corrupt[1].Index != 4 || corrupt[2].Index != 7 || !errors.Is(corrupt[2].Err, decode.ErrCorrupt) {
		t.Errorf("got %v, %v, want that 1, 4 and 7 are corrupt", corrupt, err)
	}
	if got, want := pool.Stats(), (Stats{Decoded: 6, Failed: 3, Workers: 3}); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestPoolSurvivesPanics(t *testing.T) {
	batch := &countingBatch{count: 2, do: func(i int) error { return []error{nil}[i] }}
	pool := poolOf(2)
	corrupt, err := pool.Decode(t.Context(), batch)
	if len(corrupt) > 0 || !errors.Is(err, decode.ErrCorrupt) || !errors.Is(err, errPanicked) {
		t.Errorf("got %v, %v, want %v", corrupt, err, errPanicked)
	}
	if busy := pool.Stats().Busy; busy != 0 {
		t.Errorf("%d workers were never released", busy)
	}
}

func TestPoolDecodesNothing(t *testing.T) {
	if _, err := poolOf(1).Decode(t.Context(), &countingBatch{}); err != nil {
		t.Errorf("no tasks: %v", err)
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
	pool := New(Config{Budget: budget})
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
	if release, err := poolOf(1).Reserve(t.Context(), 1<<60); err != nil {
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
		if got := New(Config{Budget: test.budget}).MaxReserve(); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
