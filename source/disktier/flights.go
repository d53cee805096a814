package disktier

import (
	"context"
	"sync"
)

// maxJoins is how often a read waits for blocks that others get before it gets them itself, even beside
// another read. So a read never fails because of another one, which may have been left by its caller.
const maxJoins = 2

// flights are the blocks of an object that reads are getting, so that others wait for them.
type flights struct {
	mu sync.Mutex // guards the field below
	of map[int64]*flight
}

// flight is what one read gets.
type flight struct {
	numbers []int64
	got     map[int64][]byte // by their numbers; the read owns it until it has landed
	landed  chan struct{}    // is closed when the read has got what it can
}

// claim takes what no other read is getting into a flight, and returns the flights of the rest. A read that
// must not join takes all.
func (f *flights) claim(numbers []int64, mayJoin bool) (own *flight, others map[int64]*flight) {
	own, others = &flight{got: make(map[int64][]byte), landed: make(chan struct{})}, make(map[int64]*flight)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, number := range numbers {
		other := f.of[number]
		if other != nil && mayJoin {
			others[number] = other
			continue
		}
		own.numbers = append(own.numbers, number)
		if other == nil {
			f.of[number] = own
		}
	}
	return own, others
}

// land tells those who wait what was got.
func (f *flights) land(own *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, number := range own.numbers {
		if f.of[number] == own {
			delete(f.of, number)
		}
	}
	close(own.landed)
}

// await waits for the flights of other reads, and returns the numbers of blocks that they did not get.
func await(ctx context.Context, others map[int64]*flight, got map[int64][]byte) (missing []int64, err error) {
	for number, other := range others {
		select {
		case <-other.landed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if block, ok := other.got[number]; ok {
			got[number] = block
		} else {
			missing = append(missing, number)
		}
	}
	return missing, nil
}
