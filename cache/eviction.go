package cache

import "math"

// rank is the place of an entry in the order of eviction. Lower dues come first.
//
// A use makes an entry due when evictions, as far as they have come, have gone on by the worth of its
// class. So an entry of a higher class outlasts many of a lower one. But each eviction brings all others
// nearer: an entry that is not used any more leaves, however dear it was. That is GreedyDual-Size with
// a list for each class. Entries of one class leave in the order of use.
//
// Epochs order the uses of entries in different shards without a write that all hits contend for.
// Only an insertion advances the clock; a hit reads it. An insertion advances it by two and takes
// the odd number in between. So an inserted entry is newer than every use before it and older than
// every use after it. Entries hit between the same two insertions share an epoch, and their order is
// arbitrary.
type rank struct{ due, epoch uint64 }

func (r rank) isBefore(other rank) bool {
	return r.due < other.due || r.due == other.due && r.epoch < other.epoch
}

// inserted advances the clock and returns the rank of an inserted entry.
func (c *Cache) inserted(in class) rank { return c.rank(in, c.clock.Add(2)-1) }

// used returns the rank of an entry after a hit.
func (c *Cache) used(in class) rank { return c.rank(in, c.clock.Load()) }

func (c *Cache) rank(in class, epoch uint64) rank {
	return rank{due: c.evictedTo.Load() + in.worth(), epoch: epoch}
}

// evictable is a shard without the types of its keys and values.
type evictable interface {
	// next returns the rank of the entry that the shard would evict next, if it has any.
	next() (r rank, found bool)
	// evictNext removes that entry if it still has this rank, and reports whether it did.
	evictNext(r rank) bool
}

// shrink evicts entries by rank until the cache is within its budget. Call it after an insertion,
// without holding a lock.
//
// The lowest of the shards' next ranks is the lowest of all, because each list is ordered by rank: an
// entry takes its rank under the shard's lock, from a clock and from dues that never go back, and moves
// to the front of its list. If an entry is used after its rank was read, it has another rank. Then
// evictNext removes nothing, and the rank is read again. What is inserted meanwhile may have a lower rank than
// others, and yet stays.
//
// The cost is one lock per shard, about 0.4 µs a space, and one more for each evicted entry. Only callers
// that have just loaded values pay it. Evictions are sequential, because two at once would evict too
// much.
func (c *Cache) shrink() {
	if c.parent != nil {
		defer c.parent.shrink()
	}
	if c.aheadBytes.Load() > c.maxAheadBytes {
		c.shrinkAhead()
	}
	if c.usedBytes.Load() <= c.maxBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readRanks(c.shards)
	for c.usedBytes.Load() > c.maxBytes {
		r, found := c.evictNext(c.shards)
		if !found {
			return // the excess was inserted after the search; the inserting caller will shrink
		}
		c.evictedTo.Store(max(c.evictedTo.Load(), r.due))
	}
}

// shrinkAhead evicts what was loaded ahead until it is within its bound. Others are due no earlier for that.
func (c *Cache) shrinkAhead() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.readRanks(c.ahead)
	for c.aheadBytes.Load() > c.maxAheadBytes {
		if _, found := c.evictNext(c.ahead); !found {
			return
		}
	}
}

// evictNext evicts the entry of the lowest rank of some shards. It returns a rank of zero if that has changed
// meanwhile, and false if there is none. The caller has read the ranks, and holds c.mu.
func (c *Cache) evictNext(of []evictable) (evicted rank, found bool) {
	at, r := c.nextShard()
	if at < 0 {
		return rank{}, false
	}
	if of[at].evictNext(r) {
		evicted = r
	}
	c.ranks[at] = rankOfNext(of[at])
	return evicted, true
}

// readRanks reads the ranks of what each shard evicts next. The caller holds c.mu.
func (c *Cache) readRanks(shards []evictable) {
	c.ranks = c.ranks[:0]
	for _, s := range shards {
		c.ranks = append(c.ranks, rankOfNext(s))
	}
}

// never is the rank of what an empty shard evicts next.
var never = rank{due: math.MaxUint64, epoch: math.MaxUint64}

func rankOfNext(s evictable) rank {
	if r, found := s.next(); found {
		return r
	}
	return never
}

// nextShard returns the index of the shard with the entry to evict, or -1 if all are empty. The caller holds
// c.mu.
func (c *Cache) nextShard() (at int, lowest rank) {
	at, lowest = -1, never
	for i, r := range c.ranks {
		if r.isBefore(lowest) {
			at, lowest = i, r
		}
	}
	return at, lowest
}
