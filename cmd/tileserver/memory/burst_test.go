package memory

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsReturnedOnceAfterEachBurst(t *testing.T) {
	type step struct{ madeMiB, wantFreed int64 }
	for name, steps := range map[string][]step{
		"then silence": {{0, 0}, {10, 0}, {0, 0}, {64, 0}, {900, 0}, {20, 0}, {1, 1}, {0, 1}, {3, 1}, {100, 1}, {4, 2}, {0, 2}},
		"then less work": {
			{900, 0}, {200, 0}, {200, 0}, {200, 0}, {230, 0}, {200, 0}, {10, 0}, {200, 0}, {200, 1},
			{200, 1}, {200, 1}, {60, 1}, {200, 1}, {300, 1}, {400, 1}, {200, 1}, {90, 1}, {90, 1}, {90, 1}, {90, 2}, {90, 2}, {90, 2},
		},
		"none": {{60, 0}, {10, 0}, {10, 0}, {10, 0}, {10, 0}, {10, 0}, {0, 0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			var total atomic.Uint64
			total.Store(500 << 20)
			var freed atomic.Int64
			go watchBursts(ctx, total.Load, func() { freed.Add(1) })
			synctest.Wait()
			for i, step := range steps {
				total.Add(uint64(step.madeMiB) << 20)
				time.Sleep(pause)
				synctest.Wait()
				if got := freed.Load(); got != step.wantFreed {
					t.Fatalf("%s, step %d: returned %d times, want %d", name, i, got, step.wantFreed)
				}
			}
			stop()
		})
	}
}
