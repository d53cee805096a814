package cache

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestMissingKeysLoadTogetherOnceForManyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(1 << 20)
		s := NewSpace[int, text](c, "texts")
		var l loader
		var wg sync.WaitGroup
		for _, keys := range [][]int{{1, 2, 3}, {3, 4}, {2, 2, 5, 3, 5}, {1, 2, 3, 4, 5}} {
			wg.Go(func() { wantTexts(t, s, keys, l.load) })
			synctest.Wait()
		}
		wg.Wait()
		wantTexts(t, s, []int{5, 1}, neverLoad)
		if got, want := l.asked(), "[[1 2 3] [4] [5]]"; got != want {
			t.Errorf("loads = %s, want %s", got, want)
		}
		got := c.Stats().Spaces[0]
		if got.Misses != 5 || got.Joined != 10 || got.Hits != 2 {
			t.Errorf("misses, joined, hits = %d, %d, %d; want 5, 10, 2", got.Misses, got.Joined, got.Hits)
		}
		wantNothingLoading(t, s)
	})
}

func TestCrossedKeySetsDoNotDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		var l loader
		var wg sync.WaitGroup
		for _, keys := range [][]int{{1}, {2}, {2, 3, 1}, {1, 4, 3, 2}, {4, 3, 5}, {5, 4, 6, 1}} {
			wg.Go(func() { wantTexts(t, s, keys, l.load) })
			synctest.Wait()
		}
		wg.Wait()
		if got, want := l.asked(), "[[1] [2] [3] [4] [5] [6]]"; got != want {
			t.Errorf("loads = %s, want %s", got, want)
		}
	})
}

// The scheduler interleaves the claims of two callers, many times.
func TestCrossedKeySetsDoNotDeadlockWhenClaimedAtOnce(t *testing.T) {
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			s := NewSpace[int, text](New(1<<20), "texts")
			var l loader
			var wg sync.WaitGroup
			for _, keys := range [][]int{{1, 2, 3, 4}, {4, 3, 2, 1}, {3, 1, 4, 2}} {
				wg.Go(func() { wantTexts(t, s, keys, l.load) })
			}
			wg.Wait()
			loaded := slices.Concat(l.calls...)
			slices.Sort(loaded)
			if !slices.Equal(loaded, []int{1, 2, 3, 4}) {
				t.Fatalf("loads = %v, want each of 1 to 4 once", l.calls)
			}
		})
	}
}

func TestLastWaiterToLeaveCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		var ended error
		hang := func(ctx context.Context, _ []int) ([]text, error) {
			<-ctx.Done()
			ended = ctx.Err()
			time.Sleep(time.Second) // cancellation takes a while to be noticed
			return nil, ended
		}
		var wg sync.WaitGroup
		leave := make([]context.CancelFunc, 3)
		for i := range leave {
			var ctx context.Context
			ctx, leave[i] = context.WithCancel(t.Context())
			wg.Go(func() {
				if _, err := s.Fetch(ctx, []int{1, 2}, hang); !errors.Is(err, context.Canceled) {
					t.Errorf("caller %d: got error %v, want that of its context", i, err)
				}
			})
			synctest.Wait()
		}
		for _, i := range []int{0, 2} {
			leave[i]()
			synctest.Wait()
			if ended != nil {
				t.Fatalf("the load ended (%v) while a caller waited", ended)
			}
		}
		leave[1]()
		wg.Wait()
		synctest.Wait()
		if !errors.Is(ended, context.Canceled) {
			t.Fatalf("the load ended with %v, want %v", ended, context.Canceled)
		}
		wantNothingLoading(t, s) // though hang is still running
		wantTexts(t, s, []int{1, 2}, new(loader).load)
		time.Sleep(2 * time.Second) // let hang publish its failure
		wantTexts(t, s, []int{2, 1}, neverLoad)
	})
}

// The moment between the departure of the last waiter and the removal of the keys.
func TestNoCallerJoinsACanceledLoad(t *testing.T) {
	s := NewSpace[int, text](New(1<<20), "texts")
	abandoned, next := newLoad[int, text](), newLoad[int, text]()
	shard := s.shard(1)
	shard.claim(1, &abandoned, claimant{mayJoin: true})
	if last := abandoned.leave(); !last {
		t.Error("the only waiter was not the last to leave")
	}
	if _, at := shard.claim(1, &next, claimant{mayJoin: true}); at.load != next {
		t.Error("a caller joined a load without waiters")
	}
	shard.complete(1, abandoned, nil)
	if _, at := shard.claim(1, new(*load[int, text]), claimant{mayJoin: true}); at.load != next {
		t.Error("the end of the abandoned load forgot the key of the next")
	}
}

func TestCallerThatMayNotJoinTakesOverAndClaimsAKeyOnce(t *testing.T) {
	s := NewSpace[int, text](New(1<<20), "texts")
	others, own := newLoad[int, text](), newLoad[int, text]()
	shard := s.shard(1)
	shard.claim(1, &others, claimant{mayJoin: true})
	for range 2 { // the key occurs twice in one call
		if _, at := shard.claim(1, &own, claimant{mayJoin: false}); at.load != own || at.index != 0 || len(own.keys) != 1 {
			t.Errorf("claimed place %d of %d in the own load: %t; want 0 of 1, true", at.index, len(own.keys), at.load == own)
		}
	}
}

func TestLoadCanceledTooLateIsCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		deaf := func(_ context.Context, keys []int) ([]text, error) {
			time.Sleep(time.Second)
			return textsOf(keys), nil
		}
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		if _, err := s.Fetch(ctx, []int{1}, deaf); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
		}
		time.Sleep(2 * time.Second)
		wantTexts(t, s, []int{1}, neverLoad)
	})
}

func TestEndedContextLoadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSpace[int, text](New(1<<20), "texts")
		wantTexts(t, s, []int{1}, new(loader).load)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var l loader
		_, err := s.Fetch(ctx, []int{1, 2}, l.load)
		synctest.Wait()
		if !errors.Is(err, context.Canceled) || l.calls != nil {
			t.Errorf("a miss: error %v, loads %v; want %v, none", err, l.calls, context.Canceled)
		}
		if _, err := s.Fetch(ctx, []int{1}, neverLoad); err != nil {
			t.Errorf("a hit: %v", err)
		}
		wantNothingLoading(t, s)
	})
}

func TestLoadContextHasValuesButNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		s := NewSpace[int, text](New(1<<20), "texts")
		ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "trace"), time.Minute)
		defer cancel()
		_, err := s.Fetch(ctx, []int{1}, func(ctx context.Context, keys []int) ([]text, error) {
			if _, limited := ctx.Deadline(); limited || ctx.Value(key{}) != "trace" {
				t.Errorf("deadline: %t, value: %v; want false, trace", limited, ctx.Value(key{}))
			}
			return textsOf(keys), nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestLoaderMaySortItsKeys(t *testing.T) {
	s := NewSpace[int, text](New(1<<20), "texts")
	_, err := s.Fetch(t.Context(), []int{3, 1, 2}, func(_ context.Context, keys []int) ([]text, error) {
		values := textsOf(keys)
		slices.Sort(keys)
		return values, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantTexts(t, s, []int{1, 2, 3}, neverLoad)
}

func TestNilCachePassesThrough(t *testing.T) {
	s := NewSpace[int, text](nil, "texts")
	calls := 0
	load := func(ctx context.Context, keys []int) ([]text, error) {
		calls++
		if ctx != t.Context() {
			t.Error("load got another context than the caller's")
		}
		return textsOf(keys), nil
	}
	for range 2 {
		wantTexts(t, s, []int{3, 1, 3}, load)
	}
	if calls != 2 {
		t.Errorf("load was called %d times, want 2", calls)
	}
	if _, found := s.Get(1); found {
		t.Error("Get found a value in no cache")
	}
	one, err := s.FetchOne(t.Context(), 7, func(context.Context) (text, error) { return textOf(7), nil })
	if err != nil || one != textOf(7) {
		t.Errorf("FetchOne = %q, %v", one, err)
	}
	if _, err := s.Fetch(t.Context(), []int{1}, failLoad); !errors.Is(err, errBadBlock) {
		t.Errorf("got error %v, want %v", err, errBadBlock)
	}
	var none *Cache
	if got := none.Stats(); got.MaxBytes != 0 || got.Spaces != nil {
		t.Errorf("Stats = %+v, want none", got)
	}
}

func TestNoKeysLoadNothing(t *testing.T) {
	for name, c := range map[string]*Cache{"cache": New(1 << 20), "no cache": nil} {
		got, err := NewSpace[int, text](c, "texts").Fetch(t.Context(), nil, neverLoad)
		if err != nil || got == nil || len(got) != 0 {
			t.Errorf("%s: got %#v, %v; want an empty slice", name, got, err)
		}
	}
}

func TestFetchOne(t *testing.T) {
	c := New(1 << 20)
	s := NewSpace[int, text](c, "texts")
	load := func(context.Context) (text, error) { return textOf(4), nil }
	for range 3 {
		if got, err := s.FetchOne(t.Context(), 4, load); err != nil || got != textOf(4) {
			t.Errorf("FetchOne = %q, %v; want %q", got, err, textOf(4))
		}
	}
	bad := func(context.Context) (text, error) { return "rubbish", errBadBlock }
	if got, err := s.FetchOne(t.Context(), 5, bad); !errors.Is(err, errBadBlock) || got != "" {
		t.Errorf("FetchOne of a bad block = %q, %v; want nothing, %v", got, err, errBadBlock)
	}
	if got := c.Stats().Spaces[0]; got.Misses != 2 || got.Hits != 2 || got.Entries != 1 {
		t.Errorf("misses, hits, entries = %d, %d, %d; want 2, 2, 1", got.Misses, got.Hits, got.Entries)
	}
}
