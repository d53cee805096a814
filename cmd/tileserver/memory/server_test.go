package memory

import "testing"

func TestGarbageIsBoundedForAnyCache(t *testing.T) {
	for cacheBytes, want := range map[int64]int{0: 100, 16 << 20: 100, 256 << 20: 37, 512 << 20: 18, 64 << 30: 10} {
		if got := gcPercent(cacheBytes); got != want {
			t.Errorf("a cache of %d bytes gives %d percent, want %d", cacheBytes, got, want)
		}
	}
}
