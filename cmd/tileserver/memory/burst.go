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

	pause = 15 * time.Second
)

// ReturnAfterBursts gives memory back to the system when a burst of work is over, until ctx ends. The
// runtime alone keeps what was used for minutes, since it frees nothing until it collects garbage,
// and a server that does nothing makes none.
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
	before, hadBurst := allocated(), false
	for {
		select {
		case <-ctx.Done():
			return
		case <-pauses.C:
		}
		now := allocated()
		switch made := now - before; {
		case made >= burstBytes:
			hadBurst = true
		case made <= quietBytes && hadBurst:
			free()
			hadBurst = false
		}
		before = now
	}
}
