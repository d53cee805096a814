package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// tally counts answers of a span of time.
type tally struct {
	statuses  map[int]int
	hits      []time.Duration // of hot tiles that were in the cache, or were being made for another request
	unchanged []time.Duration // of answers that a tile is as the client has it
	hot       int             // pictures of hot tiles, in the cache or not
}

func newTally() tally { return tally{statuses: make(map[int]int)} }

func (t *tally) add(a answer) {
	t.statuses[a.status]++
	took := a.during.to.Sub(a.during.from)
	switch {
	case a.status == http.StatusNotModified:
		t.unchanged = append(t.unchanged, took)
	case a.kind.name == hot && a.status == http.StatusOK:
		t.hot++
		if a.isHit {
			t.hits = append(t.hits, took)
		}
	}
}

// join adds another span.
func (t *tally) join(o tally) {
	for status, count := range o.statuses {
		t.statuses[status] += count
	}
	t.hits, t.unchanged = append(t.hits, o.hits...), append(t.unchanged, o.unchanged...)
	t.hot += o.hot
}

func (t *tally) String() string {
	return fmt.Sprintf("hits %s  304s %s  %v", times(t.hits), times(t.unchanged), t.statuses)
}

// times returns the middle and the slow end of durations.
func times(all []time.Duration) string {
	return fmt.Sprintf("p50 %.1f p99 %.1f ms", quantile(all, 0.5), quantile(all, 0.99))
}

// quantile returns the duration, in milliseconds, that a share of all do not exceed.
func quantile(all []time.Duration, share float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[int(share*float64(len(sorted)-1))].Seconds() * 1000
}

// reservoir keeps answers by chance, each with the same.
type reservoir struct {
	size, offered int
	kept          []answer
}

func (r *reservoir) offer(a answer) {
	r.offered++
	if len(r.kept) < r.size {
		r.kept = append(r.kept, a)
	} else if at := rand.N(r.offered); at < r.size {
		r.kept[at] = a
	}
}
