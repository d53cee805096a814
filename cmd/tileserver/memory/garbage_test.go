package memory

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestGarbageIsBoundedForAnyHeap(t *testing.T) {
	for live, want := range map[uint64]int{0: 100, 16 << 20: 100, 256 << 20: 37, 512 << 20: 18, 64 << 30: 10} {
		if got := gcPercent(live); got != want {
			t.Errorf("a heap of %d live bytes gives %d percent, want %d", live, got, want)
		}
	}
}

// GOGC follows the heap as the cache fills and empties, but not each of its moves.
func TestGarbageFollowsTheHeap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var set []int
		live := uint64(10 << 20)
		ctx, stop := context.WithCancel(t.Context())
		go followHeap(ctx, func() uint64 { return live }, func(percent int) { set = append(set, percent) })
		for _, mib := range []uint64{10, 90, 120, 119, 122, 400, 410, 2000, 3000, 20} {
			synctest.Wait()
			live = mib << 20
			time.Sleep(lookAtHeap)
		}
		synctest.Wait()
		stop()
		if want := []int{80, 24, 10, 100}; !slices.Equal(set, want) {
			t.Errorf("GOGC was set to %v, want %v", set, want)
		}
		time.Sleep(time.Hour)
		if live = 5000 << 20; len(set) != 4 {
			t.Errorf("GOGC was set after the end: %v", set)
		}
	})
}
