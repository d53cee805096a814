package cache

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// shard is a part of a Space with a lock of its own, so that hits on different keys seldom meet.
type shard[K comparable, V Sizer] struct {
	cache *Cache

	mu      sync.Mutex // guards what follows; nothing is loaded and no other shard is locked while it is held
	entries *simplelru.LRU[K, *entry[V]]
	loading map[K]place[K, V]
	counts  counts

	_ [64]byte // keeps the locks of neighbors off one cache line
}

// entry is a value kept. It is a pointer in the list, so that a hit can stamp it without a second look-up.
type entry[V Sizer] struct {
	value      V
	valueBytes int64  // the value's size when it came in
	epoch      uint64 // of the last use; guarded by the shard's lock
}

// bytes returns what the entry takes of the budget.
func (e *entry[V]) bytes() int64 { return e.valueBytes + entryOverheadBytes }

// counts are a shard's part of SpaceStats.
type counts struct {
	bytes, hits, misses, joined, evictions, rejected int64
}

func (s *shard[K, V]) open(c *Cache) {
	// The list counts entries and may have any number of them: bytes are what is bounded, and shrink sees to it.
	entries, err := simplelru.NewLRU[K, *entry[V]](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a capacity below one
	}
	s.cache, s.entries, s.loading = c, entries, make(map[K]place[K, V])
}

// hit returns the value kept for key and counts the hit. It does not count a miss.
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

// claim returns the value kept for key, or else the place in a load where it will be: in a load under way if the caller
// may join it, or in own. It has to look for the value again, though the caller has just missed it:
//
//  1. A misses key.          2. B's load of key ends: the value is kept, the load is forgotten.
//  3. A claims key. Without a second look A would find no load either, and load what is there.
func (s *shard[K, V]) claim(key K, own *load[K, V], mayJoin bool) (value V, at place[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, found := s.hitLocked(key); found {
		return value, place[K, V]{}
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

// settle ends the loading of key by l, and keeps its value if there is one: the two under one lock, so that nobody
// finds neither.
func (s *shard[K, V]) settle(key K, l *load[K, V], e *entry[V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading[key].load == l {
		delete(s.loading, key)
	}
	switch {
	case e == nil:
	case !s.cache.fits(e.valueBytes):
		s.counts.rejected++
	case s.entries.Contains(key): // by a load that took over from l; hits go on returning the same value
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

// grow accounts for bytes gained or lost. The caller holds s.mu.
func (s *shard[K, V]) grow(bytes int64) {
	s.counts.bytes += bytes
	s.cache.grow(bytes)
}
