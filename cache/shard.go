package cache

import (
	"math"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// shard is a part of a Space with its own lock, so that hits on different keys rarely contend.
type shard[K comparable, V Sizer] struct {
	cache *Cache

	mu      sync.Mutex // guards the fields below; no loading and no locking of another shard while it is held
	entries map[K]*entry[K, V]
	classes [classCount]*simplelru.LRU[*entry[K, V], struct{}] // the entries of each class in the order of use; nil before the first
	loading map[K]position[K, V]
	counts  counts

	_ [64]byte // keeps the locks of neighboring shards on separate cache lines
}

// entry is a cached value.
type entry[K comparable, V Sizer] struct {
	key        K
	value      V
	valueBytes int64 // the value's size at insertion
	class      class
	rank       rank // since the last use; guarded by the shard's lock
}

// newEntry measures a value that took so long to load.
func newEntry[K comparable, V Sizer](key K, value V, cost time.Duration) *entry[K, V] {
	e := &entry[K, V]{key: key, value: value, valueBytes: max(0, value.Size())}
	e.class = classOf(e.bytes(), cost)
	return e
}

// bytes returns the entry's share of the budget.
func (e *entry[K, V]) bytes() int64 { return e.valueBytes + entryOverheadBytes }

// counts is a shard's contribution to SpaceStats.
type counts struct {
	bytes, hits, misses, joined, evictions, rejected int64
}

func (s *shard[K, V]) open(c *Cache) {
	s.cache, s.entries, s.loading = c, make(map[K]*entry[K, V]), make(map[K]position[K, V])
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
	_, found := s.entries[key]
	return found
}

func (s *shard[K, V]) hitLocked(key K) (value V, found bool) {
	e, found := s.entries[key]
	if !found {
		return value, false
	}
	if r := s.cache.used(e.class); e.rank != r {
		e.rank = r
		s.classes[e.class].Get(e)
	}
	s.counts.hits++
	return e.value, true
}

// claim returns the cached value of key, or the position of the key in a load: in a running load
// that the caller may join, or in own, which it creates for the first key. One lock is held meanwhile, so
// a load of the key that ends is found either running or cached.
func (s *shard[K, V]) claim(key K, own **load[K, V], mayJoin bool) (value V, at position[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if value, found := s.hitLocked(key); found {
		return value, position[K, V]{}
	}
	at, found := s.loading[key]
	if found && (mayJoin || at.load == *own) && at.load.join() {
		s.counts.joined++
		return value, at
	}
	s.counts.misses++
	if *own == nil {
		*own = newLoad[K, V]()
	}
	at = (*own).add(key)
	s.loading[key] = at
	return value, at
}

// complete removes key from the loads if l loads it, and caches its value e unless nil. Both happen
// under one lock, so that a caller always finds one of the two.
func (s *shard[K, V]) complete(key K, l *load[K, V], e *entry[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loading[key].load == l {
		delete(s.loading, key)
	}
	if e == nil {
		return
	}
	_, isCached := s.entries[key]
	switch {
	case !s.cache.fits(e.valueBytes):
		s.counts.rejected++
	case isCached: // a load that replaced l has cached it; hits keep returning the same value
	default:
		s.insert(e)
	}
}

// insert caches an entry. The caller holds s.mu.
func (s *shard[K, V]) insert(e *entry[K, V]) {
	e.rank = s.cache.inserted(e.class)
	s.entries[e.key] = e
	s.list(e.class).Add(e, struct{}{})
	s.grow(e.bytes())
}

// list returns the list of a class, which may be new.
func (s *shard[K, V]) list(of class) *simplelru.LRU[*entry[K, V], struct{}] {
	if s.classes[of] != nil {
		return s.classes[of]
	}
	// The list has no limit on the number of entries: shrink bounds their bytes.
	list, err := simplelru.NewLRU[*entry[K, V], struct{}](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a capacity below one
	}
	s.classes[of] = list
	return list
}

func (s *shard[K, V]) next() (r rank, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.nextLocked()
	if e == nil {
		return rank{}, false
	}
	return e.rank, true
}

// nextLocked returns the entry that is evicted next, or nil if there is none.
func (s *shard[K, V]) nextLocked() (next *entry[K, V]) {
	for _, list := range s.classes {
		if list == nil {
			continue
		}
		e, _, found := list.GetOldest()
		if found && (next == nil || e.rank.isBefore(next.rank)) {
			next = e
		}
	}
	return next
}

func (s *shard[K, V]) evictNext(r rank) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.nextLocked()
	if e == nil || e.rank != r {
		return false
	}
	delete(s.entries, e.key)
	s.classes[e.class].RemoveOldest()
	s.grow(-e.bytes())
	s.counts.evictions++
	return true
}

// grow adds to the bytes in use; a negative number subtracts. The caller holds s.mu.
func (s *shard[K, V]) grow(bytes int64) {
	s.counts.bytes += bytes
	s.cache.grow(bytes)
}
