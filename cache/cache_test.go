package cache

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"
)

// weight is a value of a given size in bytes.
type weight int64

func (w weight) Size() int64 { return int64(w) }

func put(t *testing.T, s *Space[int, weight], key int, value weight) {
	t.Helper()
	got, err := s.FetchOne(t.Context(), key, func(context.Context) (weight, error) { return value, nil })
	if err != nil || got != value {
		t.Fatalf("FetchOne(%d) = %d, %v; want %d", key, got, err, value)
	}
}

func TestHitsReturnTheSameValue(t *testing.T) {
	s := NewSpace[string, *page](New(1<<20), "pages")
	load := func(_ context.Context, keys []string) ([]*page, error) {
		pages := make([]*page, len(keys))
		for i := range pages {
			pages[i] = new(page)
		}
		return pages, nil
	}
	first, err := s.Fetch(t.Context(), []string{"a", "b"}, load)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Fetch(t.Context(), []string{"b", "a", "b"}, load)
	if err != nil {
		t.Fatal(err)
	}
	if want := []*page{first[1], first[0], first[1]}; !slices.Equal(again, want) {
		t.Errorf("got %p, want the pointers %p", again, want)
	}
	if got, found := s.Get("a"); !found || got != first[0] {
		t.Errorf("Get = %p, %t; want %p", got, found, first[0])
	}
	if _, found := s.Get("c"); found {
		t.Error("Get found a value that was not loaded")
	}
}

type page [64]byte

func (p *page) Size() int64 { return int64(len(p)) }

func TestValueOverBudgetIsReturnedAndNotKept(t *testing.T) {
	const maxBytes = 10_000
	tests := []struct {
		name   string
		value  weight
		cached bool
	}{
		{"just fits", maxBytes - entryOverheadBytes, true},
		{"one byte over", maxBytes - entryOverheadBytes + 1, false},
		{"huge", math.MaxInt64, false},
		{"below zero counts as zero", math.MinInt64, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := New(maxBytes)
			s := NewSpace[int, weight](c, "weights")
			put(t, s, 1, test.value)
			if _, cached := s.Get(1); cached != test.cached {
				t.Errorf("cached: %t, want %t", cached, test.cached)
			}
			wantExact(t, c)
			if got, want := c.Stats().Spaces[0].Rejected == 0, test.cached; got != want {
				t.Errorf("not rejected: %t, want %t", got, want)
			}
		})
	}
}

func TestValueOverBudgetEvictsNothing(t *testing.T) {
	s := NewSpace[int, weight](New(10_000), "weights")
	put(t, s, 1, 5_000)
	put(t, s, 2, 20_000)
	if _, cached := s.Get(1); !cached {
		t.Error("a value that is not cached has evicted another")
	}
}

func TestNoBudgetKeepsNothing(t *testing.T) {
	for _, maxBytes := range []int64{0, -1, math.MinInt64 + entryOverheadBytes} {
		c := New(maxBytes)
		s := NewSpace[int, weight](c, "weights")
		put(t, s, 1, 0)
		if got := c.Stats(); got.UsedBytes != 0 || got.Spaces[0].Entries != 0 || got.Spaces[0].Rejected != 1 {
			t.Errorf("budget %d: %+v, want nothing cached and one rejected", maxBytes, got)
		}
	}
}

func TestHitsAllocateOnlyTheResult(t *testing.T) {
	s := NewSpace[int, *page](New(1<<20), "pages")
	keys := []int{1, 2, 3}
	load := func(_ context.Context, keys []int) ([]*page, error) {
		return []*page{new(page), new(page), new(page)}, nil
	}
	one := func(context.Context) (*page, error) { return new(page), nil }
	if _, err := s.Fetch(t.Context(), keys, load); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		call func()
		want float64
	}{
		{"Get", func() { s.Get(2) }, 0},
		{"FetchOne", func() { _, _ = s.FetchOne(t.Context(), 2, one) }, 0},
		{"Fetch", func() { _, _ = s.Fetch(t.Context(), keys, load) }, 1},
	} {
		if got := testing.AllocsPerRun(100, test.call); got != test.want {
			t.Errorf("%s: %v allocations, want %v", test.name, got, test.want)
		}
	}
}

// A wrong constant would make a cache of many small values use a multiple of its budget.
func TestEntryOverheadIsHonest(t *testing.T) {
	type blockKey struct {
		Image           string
		Level, Row, Col int32
	}
	const entries = 20_000
	measure := func(name string, fill func(c *Cache) any) {
		c := New(math.MaxInt64)
		before := heapBytes()
		space := fill(c)
		perEntry := (heapBytes() - before) / entries
		runtime.KeepAlive(space)
		t.Logf("%s: %d bytes per entry", name, perEntry)
		if perEntry < entryOverheadBytes/2 || perEntry > 2*entryOverheadBytes {
			t.Errorf("%s: %d bytes per entry, counted as %d", name, perEntry, entryOverheadBytes)
		}
	}
	one := func(context.Context) (weight, error) { return 0, nil }
	measure("int keys", func(c *Cache) any {
		s := NewSpace[int, weight](c, "")
		for i := range entries {
			_, _ = s.FetchOne(t.Context(), i, one)
		}
		return s
	})
	measure("struct keys", func(c *Cache) any {
		s := NewSpace[blockKey, weight](c, "")
		for i := range entries {
			_, _ = s.FetchOne(t.Context(), blockKey{"scene", 0, int32(i / 100), int32(i % 100)}, one)
		}
		return s
	})
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
