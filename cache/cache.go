// Package cache keeps values of any kind within one byte budget and loads each missing value once, however many
// callers want it. It must never know what it keeps: no pixels, no pictures, no files, no requests.
//
// A Cache is the budget and a Space a typed namespace in it. All spaces of a Cache compete for the same bytes, so that
// one number bounds them together. A Cache within another keeps a part of those bytes for values that the others must
// not drive out. A Budget, which stands by itself, bounds the bytes of work under way.
package cache

import (
	"sync"
	"sync/atomic"
)

// entryOverheadBytes is what an entry costs besides its value: the list element, the entry, a map slot and the slack of
// the map. Measured at about 130 bytes for int keys and 200 for keys of 32 bytes; TestEntryOverheadIsHonest holds it to that.
const entryOverheadBytes = 192

// Sizer is a value that knows how many bytes it keeps alive. A Cache asks once, when the value comes in; a size below
// zero counts as zero.
type Sizer interface{ Size() int64 }

// Cache is a byte budget shared by the Spaces made in it. Over the budget, the least recently used values go first,
// whichever space they are in. A nil Cache is legal: its spaces keep nothing and share no loads.
type Cache struct {
	parent    *Cache // whose bytes these are too, or nil
	maxBytes  int64
	usedBytes atomic.Int64 // with those of caches within; changes under the lock of the shard that gains or loses the entry
	clock     atomic.Uint64

	mu     sync.Mutex                        // guards what follows; held while evicting, taken before a shard's lock and never inside one
	spaces []interface{ stats() SpaceStats } // with those of caches within
	shards []evictable                       // of the spaces made in this Cache, and not of those made within it
}

// evictable is a shard as the Cache sees it, without the types of its keys and values.
type evictable interface {
	// oldest is the epoch of the shard's least recently used entry, if it has any.
	oldest() (epoch uint64, found bool)
	// evictOldest removes the shard's least recently used entry, if its epoch still is the one given.
	evictOldest(epoch uint64)
}

// New returns an empty Cache of maxBytes. A budget of zero or less keeps nothing, but still shares loads.
func New(maxBytes int64) *Cache { return &Cache{maxBytes: maxBytes} }

// MaxBytes returns the budget; zero for a nil Cache.
func (c *Cache) MaxBytes() int64 {
	if c == nil {
		return 0
	}
	return c.maxBytes
}

// Epochs order the uses of entries in different shards without a write that all hits would contend for: only an
// insertion moves the clock, a hit reads it. An insertion moves it by two and takes the odd number in between, so an
// inserted entry is newer than every use before it and older than every use after it. Entries hit between the same two
// insertions share an epoch: their order is exact within a shard and arbitrary between shards. That is the whole
// difference from one global list.

// insertionEpoch moves the clock.
func (c *Cache) insertionEpoch() uint64 { return c.clock.Add(2) - 1 }

// hitEpoch returns the time of a use now.
func (c *Cache) hitEpoch() uint64 { return c.clock.Load() }

// fits reports whether a value of so many bytes may be kept at all.
func (c *Cache) fits(valueBytes int64) bool { return valueBytes <= c.maxBytes-entryOverheadBytes }

// shrink evicts the globally oldest entries until the rest is within the budget. Whoever inserts calls it afterwards,
// holding no lock.
//
// Why the smallest of the shards' oldest epochs is the smallest of all: epochs are taken under the lock of the shard,
// from a clock that never goes back, and the entry that takes one moves to the front of the shard's list. So each list
// is ordered by epoch and its last entry has its smallest. An entry that is used between the look and the removal is no
// longer its shard's last or has another epoch; then nothing is removed and shrink looks again.
//
// The cost is one lock per shard for each evicted entry, about 0.35 µs a space, which only those pay who have just
// loaded something. Evictions are one at a time: two at once would evict more than is over.
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
			return // what is over came in behind the look, and who put it there is about to shrink
		}
		shard.evictOldest(epoch)
	}
}

// oldestShard returns the shard that has the globally oldest entry, nil if all are empty. The caller holds c.mu.
func (c *Cache) oldestShard() (oldest evictable, epoch uint64) {
	for _, shard := range c.shards {
		if e, found := shard.oldest(); found && (oldest == nil || e < epoch) {
			oldest, epoch = shard, e
		}
	}
	return oldest, epoch
}
