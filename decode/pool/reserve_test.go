package pool

import (
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
