// Package cache holds values of any kind in memory within one byte budget. It loads each missing
// value once, however many callers ask for it. It must never know what the values are: pixels,
// pictures, files or requests.
//
// Words:
//
//   - A *Cache* is a byte budget, shared by all spaces in it.
//   - A *Space* is a typed namespace in a Cache.
//   - The *cost* of a value is how long its load worked.
//   - A *class* has the entries of similar worth, which is the cost in relation to the size.
//   - A value is loaded *ahead* before anybody asks for it.
//   - An entry is *due* when evictions have come that far. Its *rank* is its place among all entries.
//   - A *partition* is a Cache that reserves a part of another Cache's budget for values that other
//     values must not evict.
//   - A *Budget* is independent of any Cache. It bounds the bytes in use by work in progress.
package cache

import (
	"sync"
	"sync/atomic"
)

// entryOverheadBytes approximates the memory of an entry besides its value: the list element, the
// entry, two map slots and the slack of the maps. Measured: about 170 bytes for int keys, 250 for keys
// of 32 bytes. TestEntryOverheadIsHonest checks it.
const entryOverheadBytes = 192

// Sizer is a value that reports how many bytes it keeps alive. A Cache calls Size once, when the
// value is inserted. A negative size counts as zero.
type Sizer interface{ Size() int64 }

// Cache is a byte budget shared by its Spaces. Over the budget, it evicts values of any space: first
// those that are cheap to load again for their size, and of these the least recently used. A nil Cache
// is valid: its spaces cache nothing and share no loads.
type Cache struct {
	parent    *Cache // nil, or the Cache of which this is a partition
	maxBytes  int64
	usedBytes atomic.Int64  // includes partitions; changes under the lock of the shard that gains or loses the entry
	clock     atomic.Uint64 // of epochs
	evictedTo atomic.Uint64 // the highest due of an evicted entry; changes under mu

	maxAheadBytes int64        // of values that were loaded ahead and not used; 0 treats them as all others
	aheadBytes    atomic.Int64 // of these

	mu     sync.Mutex                        // guards the fields below; held while evicting, locked before a shard's lock and never inside one
	spaces []interface{ stats() SpaceStats } // includes those of partitions
	shards []evictable                       // of the spaces of this Cache only, not of its partitions
	ahead  []evictable                       // what these loaded ahead
	ranks  []rank                            // of what each shard evicts next, as far as shrink has read them
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

// fits reports whether a value of this size can be cached at all.
func (c *Cache) fits(valueBytes int64) bool { return valueBytes <= c.maxBytes-entryOverheadBytes }
