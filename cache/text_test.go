package cache

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// text is a value whose size is visible.
type text string

func (t text) Size() int64 { return int64(len(t)) }

func textOf(key int) text { return text(fmt.Sprintf("value of %d", key)) }

func textsOf(keys []int) []text {
	values := make([]text, len(keys))
	for i, key := range keys {
		values[i] = textOf(key)
	}
	return values
}

// loader answers after a second, and records the keys that it was called with.
type loader struct {
	mu    sync.Mutex
	calls [][]int
}

func (l *loader) load(ctx context.Context, keys []int) ([]text, error) {
	l.mu.Lock()
	l.calls = append(l.calls, slices.Clone(keys))
	l.mu.Unlock()
	select {
	case <-time.After(time.Second):
		return textsOf(keys), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// asked returns the recorded keys as text.
func (l *loader) asked() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprint(l.calls)
}

func neverLoad(_ context.Context, keys []int) ([]text, error) {
	return nil, fmt.Errorf("loaded %v, which should be there", keys)
}

func wantTexts(t *testing.T, s *Space[int, text], keys []int, load LoadFunc[int, text]) {
	t.Helper()
	got, err := s.Fetch(t.Context(), keys, load)
	if want := textsOf(keys); err != nil || !slices.Equal(got, want) {
		t.Errorf("Fetch(%v) = %q, %v; want %q", keys, got, err, want)
	}
}

// wantNothingLoading fails if a load has not removed its keys.
func wantNothingLoading[K comparable, V Sizer](t *testing.T, s *Space[K, V]) {
	t.Helper()
	for i := range s.shards {
		if n := len(s.shards[i].loading); n != 0 {
			t.Errorf("shard %d: %d keys are still loading", i, n)
		}
	}
}
