package cache

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hammer runs random callers over two spaces of a small cache. The value of a key is a function of
// the key, so every answer can be checked. The keys of all loads are compared with the cache's
// statistics.
type hammer struct {
	cache    *Cache
	spaces   []*Space[int, text]
	loadKeys atomic.Int64
}

var errHammer = errors.New("one load in ten fails")

// load sometimes fails, panics or takes long.
func (h *hammer) load(random *rand.Rand) LoadFunc[int, text] {
	outcome, pause := random.IntN(20), time.Duration(random.IntN(50))*time.Microsecond
	return func(ctx context.Context, keys []int) ([]text, error) {
		h.loadKeys.Add(int64(len(keys)))
		if sorted := slices.Compact(slices.Sorted(slices.Values(keys))); len(sorted) != len(keys) {
			return nil, fmt.Errorf("one of %v occurs twice", keys)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch outcome {
		case 0:
			return nil, errHammer
		case 1:
			panic(errHammer)
		}
		return textsOf(keys), nil
	}
}

func (h *hammer) call(t *testing.T, random *rand.Rand) {
	keys := make([]int, random.IntN(7))
	for i := range keys {
		keys[i] = random.IntN(60)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if random.IntN(5) == 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(40))*time.Microsecond)
		defer cancel()
	}
	space := h.spaces[random.IntN(len(h.spaces))]
	got, err := space.Fetch(ctx, keys, h.load(random))
	switch {
	case err == nil:
		if want := textsOf(keys); !slices.Equal(got, want) {
			t.Errorf("Fetch(%v) = %q, want %q", keys, got, want)
		}
	case errors.Is(err, errHammer): // from this call's own load
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
	default:
		t.Errorf("Fetch(%v): %v", keys, err)
	}
	key := random.IntN(60)
	if value, found := space.Get(key); found && value != textOf(key) {
		t.Errorf("Get(%d) = %q, want %q", key, value, textOf(key))
	}
}

func TestHammer(t *testing.T) {
	c := New(30 * (entryOverheadBytes + 11))
	h := hammer{cache: c, spaces: []*Space[int, text]{NewSpace[int, text](c, "a"), NewSpace[int, text](c, "b")}}
	deadline := time.Now().Add(200 * time.Millisecond)
	var calls atomic.Int64
	var wg sync.WaitGroup
	for worker := range uint64(16) {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(worker, 5))
			for time.Now().Before(deadline) {
				h.call(t, random)
				c.Stats()
				calls.Add(1)
			}
		})
	}
	wg.Wait()
	h.waitForAbandonedLoads(t)
	wantExact(t, c)
	var misses, evictions int64
	for i, space := range c.Stats().Spaces {
		wantNothingLoading(t, h.spaces[i])
		misses += space.Misses
		evictions += space.Evictions
	}
	// A claim whose caller leaves before the load starts counts as a miss without a load.
	if loaded := h.loadKeys.Load(); loaded > misses || loaded == 0 || evictions == 0 {
		t.Errorf("%d keys loaded, %d misses, %d evictions", loaded, misses, evictions)
	}
	t.Logf("%d calls, %d keys loaded, %+v", calls.Load(), h.loadKeys.Load(), c.Stats())
}

// waitForAbandonedLoads waits until loads that lost their last waiter have published, since no
// caller waits for them. On a busy machine one may be delayed for a while, so one quiet moment is
// not enough.
func (h *hammer) waitForAbandonedLoads(t *testing.T) {
	t.Helper()
	const patience, quietLooks = 30 * time.Second, 20
	last, quiet := h.cache.Stats(), 0
	for deadline := time.Now().Add(patience); quiet < quietLooks; quiet++ {
		if time.Now().After(deadline) {
			t.Fatalf("the cache did not come to rest in %v", patience)
		}
		time.Sleep(time.Millisecond)
		now := h.cache.Stats()
		if now.UsedBytes != last.UsedBytes || !slices.Equal(now.Spaces, last.Spaces) {
			last, quiet = now, -1
		}
	}
}
