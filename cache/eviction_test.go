package cache

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
)

// Values that cost nothing are evicted in the order of use.
func TestEvictsOldestAcrossSpaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entries, valueBytes = 6, 1000
		c := New(entries * (valueBytes + entryOverheadBytes))
		blocks := NewSpace[int, weight](c, "blocks")
		pictures := NewSpace[string, weight](c, "pictures")
		picture := func(context.Context) (weight, error) { return valueBytes, nil }
		for _, key := range []int{1, 2, 3} {
			put(t, blocks, key, valueBytes)
			if _, err := pictures.FetchOne(t.Context(), fmt.Sprint(key), picture); err != nil {
				t.Fatal(err)
			}
		}
		blocks.Get(1) // the order of use is now: picture 1, block 2, picture 2, block 3, picture 3, block 1
		pictureThere := func(key string) func() bool {
			return func() bool { _, found := pictures.Get(key); return found }
		}
		blockThere := func(key int) func() bool { return func() bool { _, found := blocks.Get(key); return found } }

		put(t, blocks, 4, valueBytes)
		put(t, blocks, 5, 2*valueBytes+entryOverheadBytes) // as much as two
		for _, check := range []struct {
			name  string
			there func() bool
			want  bool
		}{
			{"picture 1", pictureThere("1"), false}, {"block 2", blockThere(2), false}, {"picture 2", pictureThere("2"), false},
			{"block 3", blockThere(3), true}, {"picture 3", pictureThere("3"), true}, {"block 1", blockThere(1), true},
			{"block 4", blockThere(4), true}, {"block 5", blockThere(5), true},
		} {
			if got := check.there(); got != check.want {
				t.Errorf("%s: cached: %t, want %t", check.name, got, check.want)
			}
		}
		wantExact(t, c)
		if got := c.Stats(); got.UsedBytes != got.MaxBytes || got.Spaces[0].Evictions != 1 || got.Spaces[1].Evictions != 2 {
			t.Errorf("%+v, want all bytes used, and 1 and 2 evictions", got)
		}
	})
}

// Random uses of values that cost the same are compared with one plain list in the order of use. An
// insertion follows each use, so no two uses share an epoch.
func TestEvictionFollowsTheGlobalOrderOfUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const keys, capacity, valueBytes = 40, 50, 100
		type use struct{ space, key int }
		c := New(capacity * (valueBytes + entryOverheadBytes))
		spaces := []*Space[int, weight]{NewSpace[int, weight](c, "a"), NewSpace[int, weight](c, "b")}
		random := rand.New(rand.NewPCG(7, 11))
		var order []use // the oldest first
		hits := 0
		touch := func(u use) {
			if at := slices.Index(order, u); at >= 0 {
				order = slices.Delete(order, at, at+1)
				hits++
			}
			order = append(order, u)
			order = order[max(0, len(order)-capacity):]
			put(t, spaces[u.space], u.key, valueBytes)
		}
		for i := range 3000 {
			touch(use{random.IntN(2), random.IntN(keys)})
			touch(use{random.IntN(2), keys + i}) // never seen before
		}
		for u := range (keys + 3000) * 2 {
			u := use{u % 2, u / 2}
			_, got := spaces[u.space].Get(u.key)
			if want := slices.Contains(order, u); got != want {
				t.Errorf("%+v: cached: %t, want %t", u, got, want)
			}
		}
		stats := c.Stats()
		if got := stats.Spaces[0].Hits + stats.Spaces[1].Hits; got != int64(hits+capacity) {
			t.Errorf("%d hits, want %d", got, hits+capacity)
		}
	})
}

func TestEntryUsedMeanwhileIsNotEvicted(t *testing.T) {
	c := New(1 << 20)
	s := NewSpace[int, weight](c, "weights")
	put(t, s, 1, 10)
	c.readRanks(c.shards)
	at, looked := c.nextShard()
	s.Get(1)
	c.shards[at].evictNext(looked)
	if _, cached := s.Get(1); !cached {
		t.Error("the entry was evicted")
	}
	c.readRanks(c.shards)
	at, now := c.nextShard()
	c.shards[at].evictNext(now)
	c.shards[at].evictNext(now) // of an empty shard
	if _, cached := s.Get(1); cached {
		t.Error("the entry was not evicted")
	}
	wantExact(t, c)
}

func TestBudgetHolds(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		c := New(1 + random.Int64N(40_000))
		spaces := []*Space[int, weight]{NewSpace[int, weight](c, "a"), NewSpace[int, weight](c, "b")}
		sizes := func(_ context.Context, keys []int) ([]weight, error) {
			values := make([]weight, len(keys))
			for i := range values {
				values[i] = weight(random.ExpFloat64() * 2000)
			}
			return values, nil
		}
		for range 500 {
			keys := make([]int, random.IntN(6))
			for i := range keys {
				keys[i] = random.IntN(80)
			}
			if _, err := spaces[random.IntN(2)].Fetch(t.Context(), keys, sizes); err != nil {
				t.Fatal(err)
			}
			if used := c.usedBytes.Load(); used > c.maxBytes {
				t.Fatalf("seed %d: %d bytes used of %d", seed, used, c.maxBytes)
			}
		}
		wantExact(t, c)
	}
}

// wantExact compares the bytes in use of a Cache with the sum of its entries, and with its budget.
func wantExact(t *testing.T, c *Cache, within ...*Cache) {
	t.Helper()
	var entries int
	var sum int64
	shards := c.shards
	for _, w := range within {
		shards = append(slices.Clone(shards), w.shards...)
	}
	for _, s := range shards {
		n, bytes := contents(t, s)
		entries += n
		sum += bytes
	}
	got := c.Stats()
	if got.UsedBytes != sum || got.UsedBytes > max(0, got.MaxBytes) {
		t.Errorf("used %d bytes of %d, the entries add up to %d", got.UsedBytes, got.MaxBytes, sum)
	}
	for _, space := range got.Spaces {
		entries -= space.Entries
		sum -= space.Bytes
	}
	if entries != 0 || sum != 0 {
		t.Errorf("the spaces lack %d entries and %d bytes in their statistics", entries, sum)
	}
}

func contents(t *testing.T, s evictable) (entries int, bytes int64) {
	t.Helper()
	switch s := s.(type) {
	case *shard[int, weight]:
		return len(s.entries), sumOf(s.entries)
	case *shard[string, weight]:
		return len(s.entries), sumOf(s.entries)
	case *shard[int, text]:
		return len(s.entries), sumOf(s.entries)
	default:
		t.Fatalf("no test keeps %T", s)
		return 0, 0
	}
}

func sumOf[K comparable, V Sizer](entries map[K]*entry[K, V]) (sum int64) {
	for _, e := range entries {
		sum += max(0, e.value.Size()) + entryOverheadBytes
	}
	return sum
}
