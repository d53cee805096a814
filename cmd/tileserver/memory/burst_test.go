package memory

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsReturnedOnceAfterEachBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		total, freed := uint64(500<<20), 0
		go watchBursts(ctx, func() uint64 { return total }, func() { freed++ })
		synctest.Wait()
		for step, test := range []struct{ madeMiB, wantFreed int }{
			{0, 0}, {10, 0}, {0, 0}, {64, 0}, {900, 0}, {20, 0}, {1, 1}, {0, 1}, {3, 1}, {100, 1}, {4, 2}, {0, 2},
		} {
			total += uint64(test.madeMiB) << 20
			time.Sleep(pause)
			synctest.Wait()
			if freed != test.wantFreed {
				t.Fatalf("step %d: returned %d times, want %d", step, freed, test.wantFreed)
			}
		}
		stop()
	})
}
