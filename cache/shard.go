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
	classes [aheadClass + 1]*simplelru.LRU[*entry[K, V], struct{}] // the entries of each class in the order of use; nil before the first
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
	isAhead    bool // loaded ahead, and not used
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

// listed returns the class in whose list the entry is.
func (e *entry[K, V]) listed() class {
	if e.isAhead {
		return aheadClass
	}
	return e.class
}

// counts is a shard's contribution to SpaceStats.
type counts struct {
	bytes, hits, misses, joined, evictions, rejected int64

	aheadBytes, aheadLoaded, aheadUsed, aheadEvicted int64
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
	if e.isAhead {
		s.keepUsed(e)
	} else if r := s.cache.used(e.class); e.rank != r {
		e.rank = r
		s.classes[e.class].Get(e)
	}
	s.counts.hits++
	return e.value, true
}

// claimant says how a key is claimed.
type claimant struct {
	mayJoin bool
	isAhead bool // nobody has asked for the value yet, so this is no use of it
}

// claim returns the cached value of key, or the position of the key in a load: in a running load
// that the caller may join, or in own, which it creates for the first key. One lock is held meanwhile, so
// a load of the key that ends is found either running or cached.
func (s *shard[K, V]) claim(key K, own **load[K, V], by claimant) (value V, at position[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if by.isAhead {
		if e, found := s.entries[key]; found {
			return e.value, position[K, V]{}
		}
	} else if value, found := s.hitLocked(key); found {
		return value, position[K, V]{}
	}
	at, found := s.loading[key]
	if found && (by.mayJoin || at.load == *own) && at.load.join() {
		s.noteJoin(key, at, by)
		return value, at
	}
	if !by.isAhead {
		s.counts.misses++
	}
	if *own == nil {
		*own = newLoad[K, V]()
	}
	at = (*own).add(key)
	at.isAhead = by.isAhead
	s.loading[key] = at
	return value, at
}

// noteJoin counts a claim of a key that is being loaded. Who asks for what is loaded ahead uses it. The caller
// holds s.mu.
func (s *shard[K, V]) noteJoin(key K, at position[K, V], by claimant) {
	if by.isAhead {
		return
	}
	s.counts.joined++
	if at.isAhead {
		s.counts.aheadLoaded++
		s.counts.aheadUsed++
		at.isAhead = false
		s.loading[key] = at
	}
}

// complete removes key from the loads if l loads it, and caches its value e unless nil. Both happen
// under one lock, so that a caller always finds one of the two.
func (s *shard[K, V]) complete(key K, l *load[K, V], e *entry[K, V]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.loading[key]
	if at.load == l {
		delete(s.loading, key)
	}
	if e == nil {
		return
	}
	e.isAhead = at.load == l && at.isAhead
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
	e.rank = s.cache.inserted(e.listed())
	s.entries[e.key] = e
	s.list(e.listed()).Add(e, struct{}{})
	s.grow(e.bytes())
	if e.isAhead {
		s.counts.aheadLoaded++
		s.growAhead(e.bytes())
	}
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
	for of := range s.classes {
		if e := s.oldest(class(of)); e != nil && (next == nil || e.rank.isBefore(next.rank)) {
			next = e
		}
	}
	return next
}

// oldest returns the entry of a class that was not used for longest, or nil. The caller holds s.mu.
func (s *shard[K, V]) oldest(of class) *entry[K, V] {
	if s.classes[of] == nil {
		return nil
	}
	e, _, _ := s.classes[of].GetOldest()
	return e
}

func (s *shard[K, V]) evictNext(r rank) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.evict(s.nextLocked(), r)
}

// evict removes the oldest entry of a class if it still has a rank. The caller holds s.mu.
func (s *shard[K, V]) evict(e *entry[K, V], r rank) bool {
	if e == nil || e.rank != r {
		return false
	}
	delete(s.entries, e.key)
	s.classes[e.listed()].RemoveOldest()
	s.grow(-e.bytes())
	s.counts.evictions++
	if e.isAhead {
		s.growAhead(-e.bytes())
		s.counts.aheadEvicted++
	}
	return true
}

// grow adds to the bytes in use; a negative number subtracts. The caller holds s.mu.
func (s *shard[K, V]) grow(bytes int64) {
	s.counts.bytes += bytes
	s.cache.grow(bytes)
}
