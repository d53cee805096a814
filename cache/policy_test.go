package cache

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// fetchCosting fetches a value that takes so long to load. Clocks of tests are exact in synctest.
func fetchCosting(t *testing.T, s *Space[int, weight], key int, value weight, cost time.Duration) (isHit bool) {
	t.Helper()
	isHit = true
	_, err := s.FetchOne(t.Context(), key, func(context.Context) (weight, error) {
		isHit = false
		time.Sleep(cost)
		return value, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return isHit
}

func TestClasses(t *testing.T) {
	tests := []struct {
		name  string
		bytes int64
		cost  time.Duration
		want  class
	}{
		{"free", 1000, 0, 0},
		{"free and empty", entryOverheadBytes, 0, 0},
		{"a block", 1 << 20, 10 * time.Millisecond, 0},
		{"a large block", 16 << 20, time.Second, 0},
		{"a code-block", 8 << 10, 100 * time.Microsecond, 2},
		{"a view", 3 << 20, time.Second, 2},
		{"a map tile whose blocks were cached", 12_000, time.Millisecond, 3},
		{"a map tile", 12_000, 10 * time.Millisecond, 4},
		{"a day", 1000, 24 * time.Hour, 4},
		{"a byte below the bound of a class", 1 << 20, 1<<24 - 1, 0},
		{"the bound of a class", 1 << 20, 1 << 24, 1},
	}
	for _, test := range tests {
		if got := classOf(test.bytes, test.cost); got != test.want {
			t.Errorf("%s: %d bytes that take %v are of class %d, want %d", test.name, test.bytes, test.cost, got, test.want)
		}
	}
}

// Ten thousand blocks pass by tiles that are asked for now and then.
func TestSmallDearValuesOutlastAScan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(20 << 20)
		tiles, blocks := NewSpace[int, weight](c, "tiles"), NewSpace[int, weight](c, "blocks")
		misses := 0
		for block := range 10_000 {
			fetchCosting(t, blocks, block, 1<<20, 10*time.Millisecond)
			if block%50 != 0 {
				continue
			}
			for tile := range 50 {
				if !fetchCosting(t, tiles, tile, 30_000, 20*time.Millisecond) {
					misses++
				}
			}
		}
		if misses != 50 {
			t.Errorf("%d loads of 50 tiles", misses)
		}
		wantExact(t, c)
	})
}

// Half of the cache is filled by dear values, which nobody asks for again.
func TestDearValuesThatAreNotUsedLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const blockBytes, blocksThatFit = 100_000, 100
		c := New(blocksThatFit * (blockBytes + entryOverheadBytes))
		dear, blocks := NewSpace[int, weight](c, "dear"), NewSpace[int, weight](c, "blocks")
		const count = 500
		for key := range count {
			fetchCosting(t, dear, key, 10_000, time.Hour)
		}
		left := func() int64 { return c.Stats().Spaces[0].Evictions }
		if left() != 0 {
			t.Fatal("there is no room for the dear values")
		}
		replaced := 0
		for ; left() < count && replaced < 256*blocksThatFit; replaced++ {
			fetchCosting(t, blocks, replaced, blockBytes, 0)
			if replaced == 20*blocksThatFit && left() > 0 {
				t.Error("dear values left before cheap ones were replaced twenty times")
			}
		}
		if left() < count {
			t.Errorf("%d of %d dear values left after %d blocks", left(), count, replaced)
		}
		t.Logf("the last dear value left when the cache had been filled %d times", replaced/blocksThatFit)
	})
}

func TestCheapValueTakesNoPlaceOfDearOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(10 * (1000 + entryOverheadBytes))
		s := NewSpace[int, weight](c, "values")
		for key := range 10 {
			fetchCosting(t, s, key, 1000, time.Second)
		}
		fetchCosting(t, s, 10, 1000, 0)
		if s.Contains(10) || c.Stats().Spaces[0].Evictions != 1 {
			t.Error("a cheap value took the place of a dear one")
		}
		fetchCosting(t, s, 11, 1000, time.Second)
		if s.Contains(0) || !s.Contains(1) || !s.Contains(11) {
			t.Error("a dear value did not take the place of the oldest of its class")
		}
		wantExact(t, c)
	})
}

// Values of a batch cost the same, and what waited is not dearer.
func TestCostIsTheTimeOfWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, weight](New(1<<20), "values")
		load := func(ctx context.Context, keys []int) ([]weight, error) {
			time.Sleep(time.Hour)
			Waited(ctx, time.Hour)
			time.Sleep(30 * time.Millisecond)
			return make([]weight, len(keys)), nil
		}
		if _, err := s.Fetch(t.Context(), []int{1, 2, 3}, load); err != nil {
			t.Fatal(err)
		}
		for key := range 3 {
			e := s.shard(key + 1).entries[key+1]
			if want := classOf(entryOverheadBytes, 10*time.Millisecond); e.class != want {
				t.Errorf("value %d is of class %d, want %d", key+1, e.class, want)
			}
		}
		Waited(t.Context(), time.Hour) // outside a load
	})
}

func TestCostIncludesLoadsWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const inner, outer = 1, 2
		c := New(1 << 20)
		blocks, pictures := NewSpace[int, weight](c, "blocks"), NewSpace[int, weight](c, "pictures")
		_, err := pictures.FetchOne(t.Context(), outer, func(ctx context.Context) (weight, error) {
			time.Sleep(10 * time.Microsecond)
			return blocks.FetchOne(ctx, inner, func(ctx context.Context) (weight, error) {
				Waited(ctx, time.Hour) // as if the hour was waited: neither load is worth it
				time.Sleep(time.Hour + time.Millisecond)
				return 1000, nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, space := range []struct {
			name string
			got  class
			cost time.Duration
		}{
			{"block", blocks.shard(inner).entries[inner].class, time.Millisecond},
			{"picture", pictures.shard(outer).entries[outer].class, time.Millisecond + 10*time.Microsecond},
		} {
			if want := classOf(1000+entryOverheadBytes, space.cost); space.got != want {
				t.Errorf("the %s is of class %d, want %d", space.name, space.got, want)
			}
		}
	})
}
