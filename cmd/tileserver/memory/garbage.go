package memory

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// garbageBytes is about how much garbage may gather before it is collected.
	garbageBytes = 96 << 20

	// minGCPercent lets more gather in a large heap, which takes longer to look through. With
	// maxGCPercent, a small heap is collected no later than by default.
	minGCPercent = 10
	maxGCPercent = 100

	// minChange is by how many percent GOGC changes at least. Each change stops the program for a moment.
	minChange = 5

	// lookAtHeap is the time between two looks at the heap. Meanwhile the memory limit bounds garbage.
	lookAtHeap = time.Second
)

// BoundGarbage lets about garbageBytes gather before they are collected, until ctx ends, unless GOGC
// says otherwise. A cache is live memory without pointers. With the default GOGC, as much garbage would
// gather as the cache holds, and blocks would be decoded into fresh pages of memory. Collecting earlier
// costs little, since pixels contain no pointers to follow. While the cache is not yet full, it would
// cost much, since it would be needed often.
func BoundGarbage(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	followHeap(ctx, func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}, func(percent int) { debug.SetGCPercent(percent) })
}

// followHeap calls set each time GOGC should change for what is live after a collection.
func followHeap(ctx context.Context, live func() uint64, set func(percent int)) {
	looks := time.NewTicker(lookAtHeap)
	defer looks.Stop()
	for current := 100; ; { // the default of the runtime
		if percent := gcPercent(live()); percent > current+minChange || percent < current-minChange {
			set(percent)
			current = percent
		}
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
		}
	}
}

// gcPercent returns the GOGC value for a heap of some live bytes.
func gcPercent(live uint64) int {
	return int(min(max(100*garbageBytes/max(live, 1), minGCPercent), maxGCPercent))
}
