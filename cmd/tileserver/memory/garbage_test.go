package memory

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
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

// The configuration says how much garbage gathers.
func TestConfigurationTellsHowMuchGarbageGathers(t *testing.T) {
	document, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("as much as is in memory, up to about %d MiB, or a tenth of what is in memory if that is more", garbageBytes>>20)
	if !strings.Contains(string(document), want) || minGCPercent != 10 || maxGCPercent != 100 {
		t.Errorf("docs/configuration.md does not say %q", want)
	}
}

// GOGC follows the heap as the cache fills and empties, but not each of its moves, and not
// after the end.
func TestGarbageFollowsTheHeap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var live atomic.Uint64
		live.Store(10 << 20)
		var set []int
		ctx, stop := context.WithCancel(t.Context())
		go followHeap(ctx, live.Load, func(percent int) { set = append(set, percent) })
		for _, mib := range []uint64{10, 90, 120, 119, 122, 400, 410, 2000, 3000, 20} {
			synctest.Wait()
			live.Store(mib << 20)
			time.Sleep(lookAtHeap)
		}
		synctest.Wait()
		stop()
		synctest.Wait()
		live.Store(5000 << 20)
		time.Sleep(time.Hour)
		if want := []int{80, 24, 10, 100}; !slices.Equal(set, want) {
			t.Errorf("GOGC was set to %v until the end, want %v", set, want)
		}
	})
}
