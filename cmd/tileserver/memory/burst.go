package memory

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// burstBytes is how much is allocated within a pause, at least, in a burst of work.
	burstBytes = 64 << 20

	// quietBytes is how much is allocated within a pause, at most, when there is hardly any work.
	quietBytes = 4 << 20

	// calmDivisor says what is calm after a burst: to allocate less than this part of it within a
	// pause. calmPauses is for how many pauses it must be calm, if it is not quiet.
	calmDivisor = 4
	calmPauses  = 4

	pause = 15 * time.Second
)

// ReturnAfterBursts gives memory back to the system when a burst of work is over, until ctx ends: soon
// if hardly anything follows, after a minute if much less does. The runtime alone keeps what was used
// for minutes, since it frees nothing until it collects garbage. A server with little to do makes
// little.
func ReturnAfterBursts(ctx context.Context) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	watchBursts(ctx, func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}, debug.FreeOSMemory)
}

// watchBursts calls free after each burst. allocated returns how many bytes were allocated since the
// start.
func watchBursts(ctx context.Context, allocated func() uint64, free func()) {
	pauses := time.NewTicker(pause)
	defer pauses.Stop()
	before, last := allocated(), burst{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-pauses.C:
		}
		now := allocated()
		if last.isOver(now - before) {
			free()
			last = burst{}
		}
		before = now
	}
}

// A burst is what was allocated since memory was last given back.
type burst struct {
	peak uint64 // bytes within a pause, the most
	calm int    // pauses in a row that allocated much less
}

// isOver records what was allocated within a pause, and reports whether that is the end of the burst.
func (b *burst) isOver(bytes uint64) bool {
	b.peak = max(b.peak, bytes)
	if bytes > b.peak/calmDivisor {
		b.calm = 0
	} else {
		b.calm++
	}
	return b.peak >= burstBytes && (bytes <= quietBytes || b.calm >= calmPauses)
}
