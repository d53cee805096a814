package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// shard is a part of a Space with its own lock, so that hits on different keys rarely contend.
type shard[K comparable, V Sizer] struct {
	cache *Cache

	mu      sync.Mutex // guards the fields below; no loading and no locking of another shard while it is held
	entries *simplelru.LRU[K, *entry[V]]
	loading map[K]position[K, V]
	counts  counts

	_ [64]byte // keeps the locks of neighboring shards on separate cache lines
}

// entry is a cached value. The list holds a pointer, so that a hit can update the epoch without a
// second lookup.
type entry[V Sizer] struct {
	value      V
	valueBytes int64  // the value's size at insertion
	epoch      uint64 // time of the last use; guarded by the shard's lock
}

// bytes returns the entry's share of the budget.
func (e *entry[V]) bytes() int64 { return e.valueBytes + entryOverheadBytes }

// counts is a shard's contribution to SpaceStats.
type counts struct {
	bytes, hits, misses, joined, evictions, rejected int64
}

func (s *shard[K, V]) open(c *Cache) {
	// The list has no limit on the number of entries: shrink bounds their bytes.
	entries, err := simplelru.NewLRU[K, *entry[V]](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a capacity below one
	}
	s.cache, s.entries, s.loading = c, entries, make(map[K]position[K, V])
}

// hit returns the cached value of key and counts a hit. It does not count a miss.
func (s *shard[K, V]) hit(key K) (value V, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hitLocked(key)
}

func (s *shard[K, V]) contains(key K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries.Contains(key)
}

func (s *shard[K, V]) hitLocked(key K) (value V, found bool) {
	e, found := s.entries.Get(key)
	if !found {
		return value, false
	}
	e.epoch = s.cache.hitEpoch()
	s.counts.hits++
	return e.value, true
}

// claim returns the cached value of key, or the position of the key in a load: in a running load
// that the caller may join, or in own. It looks up the value again although the caller has just
// missed it:
//
//  1. A misses key.
//  2. B's load of key ends: its value is cached and the load is removed.
//  3. A claims key. Without a second lookup A would find no load either, and would load again.
func (s *shard[K, V]) claim(key K, own *load[K, V], mayJoin bool) (value V, at position[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, found := s.hitLocked(key); found {
		return value, position[K, V]{}
	}
	at, found := s.loading[key]
	if found && (mayJoin || at.load == own) && at.load.join() {
		s.counts.joined++
		return value, at
	}
	s.counts.misses++
	at = own.add(key)
	s.loading[key] = at
	return value, at
}

// complete removes key from the loads if l loads it, and caches its value e unless nil. Both happen
// under one lock, so that a caller always finds one of the two.
func (s *shard[K, V]) complete(key K, l *load[K, V], e *entry[V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading[key].load == l {
		delete(s.loading, key)
	}
	switch {
	case e == nil:
	case !s.cache.fits(e.valueBytes):
		s.counts.rejected++
	case s.entries.Contains(key): // a load that replaced l has cached it; hits keep returning the same value
	default:
		e.epoch = s.cache.insertionEpoch()
		s.entries.Add(key, e)
		s.grow(e.bytes())
	}
}

func (s *shard[K, V]) oldest() (epoch uint64, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, e, found := s.entries.GetOldest()
	if !found {
		return 0, false
	}
	return e.epoch, true
}

func (s *shard[K, V]) evictOldest(epoch uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, e, found := s.entries.GetOldest()
	if !found || e.epoch != epoch {
		return
	}
	s.entries.RemoveOldest()
	s.grow(-e.bytes())
	s.counts.evictions++
}

// grow adds to the bytes in use; a negative number subtracts. The caller holds s.mu.
func (s *shard[K, V]) grow(bytes int64) {
	s.counts.bytes += bytes
	s.cache.grow(bytes)
}
