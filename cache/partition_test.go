package cache

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
)

// Values outside the partition evict nothing in it, although both share one budget.
func TestPartitionProtectsItsValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const valueBytes = 1000
		const entryBytes = valueBytes + entryOverheadBytes
		outer := New(10 * entryBytes)
		inner := NewPartition(outer, 4*entryBytes)
		passing, staying := NewSpace[int, weight](outer, "passing"), NewSpace[int, weight](inner, "staying")
		for key := range 10 {
			put(t, passing, key, valueBytes)
		}
		for key := range 3 {
			put(t, staying, key, valueBytes)
		}
		for key := range 100 {
			put(t, passing, 100+key, valueBytes)
		}
		for key := range 3 {
			if !staying.Contains(key) {
				t.Errorf("value %d within was driven out", key)
			}
		}
		if got := outer.Stats(); got.UsedBytes != 10*entryBytes || got.Spaces[0].Entries != 7 || got.Spaces[1].Entries != 3 {
			t.Errorf("the outer cache is %+v, want 7 and 3 entries", got)
		}
		for key := range 10 { // more than the partition can hold
			put(t, staying, key, valueBytes)
		}
		if got := outer.Stats(); got.Spaces[0].Entries != 6 || got.Spaces[1].Entries != 4 || !staying.Contains(9) || staying.Contains(0) {
			t.Errorf("the outer cache is %+v, want 6 and 4 entries, the last ones in the partition", got)
		}
		wantExact(t, outer, inner)
		wantExact(t, inner)
	})
}

func TestPartitionAndParentKeepTheirBudgets(t *testing.T) {
	outer := New(50_000)
	inner := NewPartition(outer, 20_000)
	spaces := []*Space[int, weight]{NewSpace[int, weight](outer, "a"), NewSpace[int, weight](inner, "b"), NewSpace[int, weight](inner, "c")}
	random := rand.New(rand.NewPCG(3, 5))
	for key := range 2000 {
		put(t, spaces[random.IntN(len(spaces))], key, weight(random.IntN(9000)))
		if o, i := outer.Stats().UsedBytes, inner.Stats().UsedBytes; o > 50_000 || i > 20_000 {
			t.Fatalf("after %d values %d bytes are used, %d of them within", key+1, o, i)
		}
	}
	wantExact(t, outer, inner)
	wantExact(t, inner)
}

func TestPartitionIsNoLargerThanItsParent(t *testing.T) {
	if got := NewPartition(New(1000), 5000).MaxBytes(); got != 1000 {
		t.Errorf("within 1000 bytes there are %d", got)
	}
	within := NewPartition(nil, 5000)
	if within.MaxBytes() != 0 {
		t.Errorf("within no cache there are %d bytes", within.MaxBytes())
	}
	s := NewSpace[int, weight](within, "none")
	put(t, s, 1, 10)
	if s.Contains(1) {
		t.Error("a partition of no cache caches a value")
	}
}
