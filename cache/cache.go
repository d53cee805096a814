// Package cache holds values of any kind in memory within one byte budget. It loads each missing
// value once, however many callers ask for it. It must never know what the values are: pixels,
// pictures, files or requests.
//
// Words:
//
//   - A *Cache* is a byte budget, shared by all spaces in it.
//   - A *Space* is a typed namespace in a Cache.
//   - A *partition* is a Cache that reserves a part of another Cache's budget for values that other
//     values must not evict.
//   - A *Budget* is independent of any Cache. It bounds the bytes in use by work in progress.
package cache

import (
	"sync"
	"sync/atomic"
)

// entryOverheadBytes approximates the cost of an entry besides its value: the list element, the
// entry, a map slot and the slack of the map. Measured: about 130 bytes for int keys, 200 for keys
// of 32 bytes. TestEntryOverheadIsHonest checks it.
const entryOverheadBytes = 192

// Sizer is a value that reports how many bytes it keeps alive. A Cache calls Size once, when the
// value is inserted. A negative size counts as zero.
type Sizer interface{ Size() int64 }

// Cache is a byte budget shared by its Spaces. Over the budget, it evicts the least recently used
// values of any space. A nil Cache is valid: its spaces cache nothing and share no loads.
type Cache struct {
	parent    *Cache // nil, or the Cache of which this is a partition
	maxBytes  int64
	usedBytes atomic.Int64 // includes partitions; changes under the lock of the shard that gains or loses the entry
	clock     atomic.Uint64

	mu     sync.Mutex                        // guards the fields below; held while evicting, locked before a shard's lock and never inside one
	spaces []interface{ stats() SpaceStats } // includes those of partitions
	shards []evictable                       // of the spaces of this Cache only, not of its partitions
}

// evictable is a shard without the types of its keys and values.
type evictable interface {
	// oldest returns the epoch of the shard's least recently used entry, if it has any.
	oldest() (epoch uint64, found bool)
	// evictOldest removes the shard's least recently used entry, if it still has this epoch.
	evictOldest(epoch uint64)
}

// New returns an empty Cache of maxBytes. With zero or less it caches nothing, but still shares
// loads.
func New(maxBytes int64) *Cache { return &Cache{maxBytes: maxBytes} }

// MaxBytes returns the budget, or zero for a nil Cache.
func (c *Cache) MaxBytes() int64 {
	if c == nil {
		return 0
	}
	return c.maxBytes
}

// Epochs order the uses of entries in different shards without a write that all hits contend for.
// Only an insertion advances the clock; a hit reads it. An insertion advances it by two and takes
// the odd number in between. So an inserted entry is newer than every use before it and older than
// every use after it. Entries hit between the same two insertions share an epoch: their order is
// exact within a shard and arbitrary between shards. That is the only difference from one global
// list.

// insertionEpoch advances the clock and returns the epoch of an insertion.
func (c *Cache) insertionEpoch() uint64 { return c.clock.Add(2) - 1 }

// hitEpoch returns the epoch of a hit.
func (c *Cache) hitEpoch() uint64 { return c.clock.Load() }

// fits reports whether a value of this size can be cached at all.
func (c *Cache) fits(valueBytes int64) bool { return valueBytes <= c.maxBytes-entryOverheadBytes }

// shrink evicts the globally oldest entries until the cache is within its budget. Call it after an
// insertion, without holding a lock.
//
// The smallest of the shards' oldest epochs is the global minimum, because each shard's list is
// ordered by epoch: an entry takes its epoch under the shard's lock, from a clock that never goes
// back, and moves to the front of the list. If an entry is used between oldestShard and
// evictOldest, it is no longer last or has another epoch. Then evictOldest removes nothing and
// shrink tries again.
//
// The cost is one lock per shard for each evicted entry, about 0.35 µs a space. Only callers that
// have just loaded a value pay it. Evictions are sequential, because two at once would evict too
// much.
func (c *Cache) shrink() {
	if c.parent != nil {
		defer c.parent.shrink()
	}
	if c.usedBytes.Load() <= c.maxBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.usedBytes.Load() > c.maxBytes {
		shard, epoch := c.oldestShard()
		if shard == nil {
			return // the excess was inserted after the search; the inserting caller will shrink
		}
		shard.evictOldest(epoch)
	}
}

// oldestShard returns the shard with the globally oldest entry, or nil if all are empty. The caller
// holds c.mu.
func (c *Cache) oldestShard() (oldest evictable, epoch uint64) {
	for _, shard := range c.shards {
		if e, found := shard.oldest(); found && (oldest == nil || e < epoch) {
			oldest, epoch = shard, e
		}
	}
	return oldest, epoch
}
