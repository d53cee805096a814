package cache

import "context"

type aheadKey struct{}

// Ahead returns a context for loads of values that nobody has asked for yet. To look up such a value is no
// use of it.
func Ahead(ctx context.Context) context.Context { return context.WithValue(ctx, aheadKey{}, true) }

// IsAhead reports whether a context is one of Ahead.
func IsAhead(ctx context.Context) bool { return ctx.Value(aheadKey{}) != nil }

// BoundAhead lets values that were loaded ahead take some bytes of the budget until they are used. Beyond,
// they evict each other, the oldest first. It must be called before values are loaded. Without it, as in a
// partition, they are values like all others.
func (c *Cache) BoundAhead(maxBytes int64) {
	if c != nil {
		c.maxAheadBytes = min(max(0, maxBytes), c.maxBytes)
	}
}

// MaxAheadBytes returns the bound of values that were loaded ahead.
func (c *Cache) MaxAheadBytes() int64 {
	if c == nil {
		return 0
	}
	return c.maxAheadBytes
}

// aheadEntries are the entries of a shard that were loaded ahead and not used.
type aheadEntries[K comparable, V Sizer] struct{ of *shard[K, V] }

func (a aheadEntries[K, V]) next() (r rank, found bool) {
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	e := a.of.oldest(aheadClass)
	if e == nil {
		return rank{}, false
	}
	return e.rank, true
}

func (a aheadEntries[K, V]) evictNext(r rank) bool {
	a.of.mu.Lock()
	defer a.of.mu.Unlock()
	return a.of.evict(a.of.oldest(aheadClass), r)
}

// keepUsed makes an entry that was loaded ahead one like others, since it is used. The caller holds s.mu.
func (s *shard[K, V]) keepUsed(e *entry[K, V]) {
	s.classes[aheadClass].Remove(e)
	s.growAhead(-e.bytes())
	s.counts.aheadUsed++
	e.isAhead, e.rank = false, s.cache.used(e.class)
	s.list(e.class).Add(e, struct{}{})
}

// growAhead adds to the bytes of entries that were loaded ahead and not used. The caller holds s.mu.
func (s *shard[K, V]) growAhead(bytes int64) {
	s.counts.aheadBytes += bytes
	s.cache.aheadBytes.Add(bytes)
}
