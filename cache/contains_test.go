package cache_test

import (
	"context"
	"testing"
	"testing/synctest"

	"tileserver/cache"
)

type sized int64

func (s sized) Size() int64 { return int64(s) }

func TestContainsIsNotAUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := cache.New(10_000)
		s := cache.NewSpace[string, sized](c, "s")
		load := func(context.Context) (sized, error) { return 4000, nil }
		for _, key := range []string{"a", "b"} {
			if s.Contains(key) {
				t.Errorf("%s is there before it was loaded", key)
			}
			if _, err := s.FetchOne(context.Background(), key, load); err != nil {
				t.Fatal(err)
			}
		}
		before := c.Stats()
		if !s.Contains("a") {
			t.Error("a is not there")
		}
		if after := c.Stats(); after.Spaces[0].Hits != before.Spaces[0].Hits {
			t.Error("looking was counted as a hit")
		}
		if _, err := s.FetchOne(context.Background(), "c", load); err != nil {
			t.Fatal(err)
		}
		if s.Contains("a") || !s.Contains("b") {
			t.Error("Contains protected the oldest value from eviction")
		}
		if cache.NewSpace[string, sized](nil, "none").Contains("a") {
			t.Error("no cache has something")
		}
	})
}
