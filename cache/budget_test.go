package cache

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestBudgetIsFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100)
		if err := b.Acquire(t.Context(), 70); err != nil {
			t.Fatal(err)
		}
		var order []int64
		for _, n := range []int64{60, 10, 90, 1} { // 10 and 1 would fit, and do not overtake
			go func() {
				if err := b.Acquire(t.Context(), n); err != nil {
					t.Error(err)
				}
				order = append(order, n)
			}()
			synctest.Wait()
		}
		steps := []struct {
			release   int64
			wantOrder []int64
			wantInUse int64
		}{
			{0, nil, 70},
			{29, nil, 41},
			{1, []int64{60}, 100},
			{40, []int64{60, 10}, 70},
			{59, []int64{60, 10}, 11},
			{1, []int64{60, 10, 90}, 100},
			{90, []int64{60, 10, 90, 1}, 11},
			{11, []int64{60, 10, 90, 1}, 0},
		}
		for i, step := range steps {
			b.Release(step.release)
			synctest.Wait()
			if !slices.Equal(order, step.wantOrder) || b.InUse() != step.wantInUse {
				t.Fatalf("step %d: served %v with %d in use, want %v with %d", i, order, b.InUse(), step.wantOrder, step.wantInUse)
			}
		}
	})
}

func TestBudgetIsTriedWithoutWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100)
		for n, want := range map[int64]bool{101: false, -1: false, math.MinInt64: false, 70: true} {
			if got := b.TryAcquire(n); got != want {
				t.Errorf("%d bytes of 100: %v, want %v", n, got, want)
			}
		}
		if b.TryAcquire(31) || !b.TryAcquire(30) {
			t.Errorf("with 70 in use, 30 bytes are free, not 31")
		}
		b.Release(10)
		go b.Acquire(t.Context(), 20)
		synctest.Wait()
		if b.TryAcquire(1) {
			t.Error("a byte overtook a waiter")
		}
		if got := b.NextBytes(); got != 20 {
			t.Errorf("%d bytes are waited for, want 20", got)
		}
		b.Release(10)
		synctest.Wait()
		if b.InUse() != 100 || b.NextBytes() != 0 {
			t.Errorf("%d bytes in use and %d waited for, want 100 and none", b.InUse(), b.NextBytes())
		}
	})
}

func TestBudgetRejectsOversizedRequests(t *testing.T) {
	b := NewBudget(100)
	for _, n := range []int64{101, math.MaxInt64, -1, math.MinInt64} {
		if err := b.Acquire(t.Context(), n); !errors.Is(err, ErrOverBudget) {
			t.Errorf("Acquire(%d): %v, want %v", n, err, ErrOverBudget)
		}
	}
	err := b.Acquire(t.Context(), 12345)
	if text := err.Error(); !strings.Contains(text, "12345") || !strings.Contains(text, "100") {
		t.Errorf("error %q lacks a number, want both", text)
	}
	if err := b.Acquire(t.Context(), 100); err != nil || b.InUse() != 100 || b.Max() != 100 {
		t.Errorf("all of it: %v, %d in use of %d", err, b.InUse(), b.Max())
	}
}

func TestBudgetWaiterLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(100)
		if err := b.Acquire(t.Context(), 50); err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		var big error
		go func() { big = b.Acquire(ctx, 80) }()
		synctest.Wait()
		var small atomic.Bool
		go func() {
			if err := b.Acquire(t.Context(), 50); err != nil {
				t.Error(err)
			}
			small.Store(true)
		}()
		synctest.Wait()
		if small.Load() {
			t.Error("the small one overtook the big one")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !errors.Is(big, context.DeadlineExceeded) || !small.Load() || b.InUse() != 100 {
			t.Errorf("big: %v, small served: %t, in use: %d; want %v, true, 100", big, small.Load(), b.InUse(), context.DeadlineExceeded)
		}
	})
}

func TestBudgetEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := NewBudget(100)
	if err := b.Acquire(ctx, 1); !errors.Is(err, context.Canceled) || b.InUse() != 0 {
		t.Errorf("got error %v with %d in use, want %v with 0", err, b.InUse(), context.Canceled)
	}
}

// Grants and context ends coincide. Whichever wins, no byte is lost or granted twice.
func TestBudgetAddsUpWhenWaitersLeaveAsTheyAreServed(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			b := NewBudget(100)
			var held atomic.Int64
			var wg sync.WaitGroup
			for worker := range uint64(12) {
				random := rand.New(rand.NewPCG(seed, worker))
				wg.Go(func() {
					for range 20 {
						n := random.Int64N(101)
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(4))*time.Second)
						if b.Acquire(ctx, n) == nil {
							if sum := held.Add(n); sum > 100 {
								t.Errorf("%d bytes are held of 100", sum)
							}
							time.Sleep(time.Duration(random.IntN(3)) * time.Second)
							held.Add(-n)
							b.Release(n)
						}
						cancel()
					}
				})
			}
			wg.Wait()
			if b.InUse() != 0 || b.queue.Len() != 0 {
				t.Errorf("seed %d: %d in use and %d waiting at the end, want none", seed, b.InUse(), b.queue.Len())
			}
		})
	}
}

func TestBudgetPanicsWhenMoreIsReleasedThanTaken(t *testing.T) {
	for _, n := range []int64{11, -1} {
		func() {
			b := NewBudget(100)
			if err := b.Acquire(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if recover() == nil {
					t.Errorf("Release(%d) of 10 did not panic", n)
				}
			}()
			b.Release(n)
		}()
	}
}

func TestNilBudgetHasNoBound(t *testing.T) {
	var b *Budget
	if err := b.Acquire(t.Context(), math.MaxInt64); err != nil {
		t.Error(err)
	}
	b.Release(math.MaxInt64)
	if b.InUse() != 0 || b.NextBytes() != 0 || b.Max() != 0 {
		t.Errorf("in use %d of %d with %d waited for, want zeros", b.InUse(), b.Max(), b.NextBytes())
	}
}
