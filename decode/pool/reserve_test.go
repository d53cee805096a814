package pool

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"tileserver/cache"
)

// Dear work leaves a part of the budget to cheap work, also where one call needs more than its part.
func TestDearWorkLeavesBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := New(Config{Budget: cache.NewBudget(100)})
		dear := dearContext(t)
		release, err := pool.Reserve(dear, 70)
		if err != nil {
			t.Fatal(err)
		}
		var second sync.WaitGroup
		second.Go(func() {
			free, err := pool.Reserve(dear, 100)
			if err != nil {
				t.Error(err)
				return
			}
			free()
		})
		synctest.Wait()
		if free, err := pool.Reserve(t.Context(), 25); err != nil {
			t.Error(err)
		} else {
			free()
		}
		release()
		second.Wait()
	})
}

// A disk that stalls while dear work reads it holds no more than half of the bytes of dear work. A disk
// that is alone may have all of them.
func TestOneStorageLeavesBytesToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := New(Config{Budget: cache.NewBudget(160)})
		alone, stop := context.WithCancel(dearContext(t, "disk"))
		stalled, other, stack := dearContext(t, "disk"), dearContext(t, "other"), dearContext(t, "other", "disk")
		mustReserve := func(ctx context.Context, n int64) (release func()) {
			t.Helper()
			release, err := pool.Reserve(ctx, n)
			if err != nil {
				t.Error(err)
				return func() {}
			}
			return release
		}
		mustReserve(alone, 120)()
		mustReserve(other, 10)()
		release := mustReserve(stalled, 50)
		var waiting sync.WaitGroup
		waiting.Go(func() {
			if release, err := pool.Reserve(alone, 20); err == nil {
				t.Error("the disk got more than half")
				release()
			}
		})
		waiting.Go(func() { mustReserve(stack, 20)() })
		synctest.Wait()
		mustReserve(other, 60)()
		stop()
		release()
		waiting.Wait()
		mustReserve(other, 120)()
	})
}
