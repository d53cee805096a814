package cache

import (
	"context"
	"testing"
	"testing/synctest"
)

// loadAhead loads a value before anybody asks for it.
func loadAhead(t *testing.T, s *Space[int, weight], key int, value weight) {
	t.Helper()
	if _, err := s.FetchOne(Ahead(t.Context()), key, func(context.Context) (weight, error) { return value, nil }); err != nil {
		t.Fatal(err)
	}
}

func TestValuesLoadedAheadEvictEachOtherBeyondTheirBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entryBytes = 1000 + entryOverheadBytes
		c := New(40 * entryBytes)
		c.BoundAhead(5 * entryBytes)
		s := NewSpace[int, weight](c, "weights")
		for key := range 40 {
			put(t, s, key, 1000)
		}
		for key := range 30 {
			loadAhead(t, s, 100+key, 1000)
			if got := c.Stats().Spaces[0].AheadBytes; got > 5*entryBytes {
				t.Fatalf("%d bytes are loaded ahead, want at most %d", got, 5*entryBytes)
			}
		}
		for key := range 40 { // what was used lately stays
			if want := key >= 5; s.Contains(key) != want {
				t.Errorf("value %d is cached: %t", key, !want)
			}
		}
		for key := range 30 {
			if want := key >= 25; s.Contains(100+key) != want {
				t.Errorf("value %d, loaded ahead, is cached: %t", key, !want)
			}
		}
		got := c.Stats().Spaces[0]
		if got.AheadLoaded != 30 || got.AheadEvicted != 25 || got.AheadUsed != 0 || got.AheadBytes != 5*entryBytes {
			t.Errorf("the statistics are %+v", got)
		}
		wantExact(t, c)
	})
}

func TestAValueLoadedAheadIsOneLikeOthersOnceItIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entryBytes = 1000 + entryOverheadBytes
		c := New(20 * entryBytes)
		c.BoundAhead(2 * entryBytes)
		s := NewSpace[int, weight](c, "weights")
		for key := range 10 {
			loadAhead(t, s, key, 1000)
			for range 2 {
				if _, found := s.Get(key); !found {
					t.Fatalf("value %d is not cached", key)
				}
			}
		}
		if got := c.Stats().Spaces[0]; got.Entries != 10 || got.AheadLoaded != 10 || got.AheadUsed != 10 || got.AheadBytes != 0 || got.AheadEvicted != 0 || got.Hits != 20 {
			t.Errorf("the statistics are %+v", got)
		}
		for key := range 20 {
			put(t, s, 100+key, 1000)
		}
		for key := range 10 {
			if s.Contains(key) {
				t.Errorf("value %d outlasts those used later", key)
			}
		}
		wantExact(t, c)
	})
}

// A prefetch that finds a value neither counts a hit nor keeps the value for longer.
func TestToLoadAheadIsNoUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entryBytes = 1000 + entryOverheadBytes
		c := New(2 * entryBytes)
		c.BoundAhead(entryBytes)
		s := NewSpace[int, weight](c, "weights")
		put(t, s, 1, 1000)
		put(t, s, 2, 1000)
		loadAhead(t, s, 1, 1000)
		if got := c.Stats().Spaces[0]; got.Hits != 0 || got.Misses != 2 || got.AheadLoaded != 0 {
			t.Errorf("the statistics are %+v", got)
		}
		put(t, s, 3, 1000)
		if s.Contains(1) || !s.Contains(2) {
			t.Error("the value outlasts one that was used later")
		}
	})
}

func TestWhatIsLoadedAheadMakesRoomWhenEvictionsHaveGoneOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entryBytes = 1000 + entryOverheadBytes
		c := New(10 * entryBytes)
		c.BoundAhead(5 * entryBytes)
		s := NewSpace[int, weight](c, "weights")
		loadAhead(t, s, 1, 1000)
		key := 100
		for ; s.Contains(1) && key < 10_000; key++ {
			put(t, s, key, 1000)
		}
		if rounds := (key - 100) / 10; rounds < 2 || rounds > 2*int(aheadClass.worth()) {
			t.Errorf("it was evicted after others were replaced %d times", rounds)
		}
		if got := c.Stats().Spaces[0]; got.AheadBytes != 0 || got.AheadEvicted != 1 {
			t.Errorf("the statistics are %+v", got)
		}
		wantExact(t, c)
	})
}

func TestWhoAsksForWhatIsBeingLoadedAheadWaitsForItAndUsesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(1 << 20)
		c.BoundAhead(1 << 19)
		s := NewSpace[int, weight](c, "weights")
		goOn, loads := make(chan struct{}), 0
		load := func(context.Context) (weight, error) {
			loads++
			<-goOn
			return 1000, nil
		}
		ahead, cancel := context.WithCancel(Ahead(t.Context()))
		go s.FetchOne(ahead, 1, load)
		synctest.Wait()
		go s.FetchOne(t.Context(), 1, load)
		synctest.Wait()
		cancel() // the other one still waits
		synctest.Wait()
		close(goOn)
		synctest.Wait()
		got := c.Stats().Spaces[0]
		if loads != 1 || got.AheadLoaded != 1 || got.AheadUsed != 1 || got.AheadBytes != 0 || got.Entries != 1 || got.Joined != 1 {
			t.Errorf("%d loads, and the statistics are %+v", loads, got)
		}
		wantExact(t, c)
	})
}

func TestWithoutABoundNothingIsLoadedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := New(1 << 20)
		outer.BoundAhead(1 << 19)
		for name, c := range map[string]*Cache{"without a bound": New(1 << 20), "a partition": NewPartition(outer, 1<<19)} {
			s := NewSpace[int, weight](c, name)
			loadAhead(t, s, 1, 1000)
			if got := c.Stats().Spaces[0]; got.Entries != 1 || got.AheadLoaded != 0 || got.AheadBytes != 0 {
				t.Errorf("%s: the statistics are %+v", name, got)
			}
		}
		var none *Cache
		none.BoundAhead(1)
		if none.MaxAheadBytes() != 0 || outer.MaxAheadBytes() != 1<<19 {
			t.Errorf("the bounds are %d and %d", none.MaxAheadBytes(), outer.MaxAheadBytes())
		}
	})
}
