package memory

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsReturnedOnceAfterEachBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var total atomic.Uint64
		total.Store(500 << 20)
		var freed atomic.Int64
		go watchBursts(ctx, total.Load, func() { freed.Add(1) })
		synctest.Wait()
		for step, test := range []struct{ madeMiB, wantFreed int64 }{
			{0, 0}, {10, 0}, {0, 0}, {64, 0}, {900, 0}, {20, 0}, {1, 1}, {0, 1}, {3, 1}, {100, 1}, {4, 2}, {0, 2},
		} {
			total.Add(uint64(test.madeMiB) << 20)
			time.Sleep(pause)
			synctest.Wait()
			if got := freed.Load(); got != test.wantFreed {
				t.Fatalf("step %d: returned %d times, want %d", step, got, test.wantFreed)
			}
		}
		stop()
	})
}
