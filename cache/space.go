package cache

import (
	"context"
	"hash/maphash"
)

// shardCount is a power of two, so that a mask reduces a hash.
const shardCount = 16

// Space is a typed namespace in a Cache: values V by keys K. A key must equal itself, so it must
// not contain NaN. A key is cached as long as its value. All methods are safe for concurrent use.
type Space[K comparable, V Sizer] struct {
	cache  *Cache // nil: no caching, and no shards
	name   string
	seed   maphash.Seed
	shards []shard[K, V]
}

// NewSpace returns an empty Space in c. The name identifies it in statistics and must be unique in
// a Cache. A space lives as long as its Cache. Create one for each kind of value, not for each
// file; the key identifies the file.
func NewSpace[K comparable, V Sizer](c *Cache, name string) *Space[K, V] {
	if c == nil {
		return &Space[K, V]{name: name}
	}
	s := &Space[K, V]{cache: c, name: name, seed: maphash.MakeSeed(), shards: make([]shard[K, V], shardCount)}
	for i := range s.shards {
		s.shards[i].open(c)
	}
	c.enlist(s)
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range s.shards {
		c.shards = append(c.shards, &s.shards[i])
		c.ahead = append(c.ahead, aheadEntries[K, V]{&s.shards[i]})
	}
	return s
}

// Get returns the value of key if it is cached. It allocates nothing and never waits for a load. It
// counts a hit, but not a miss, because the Fetch that follows counts the miss.
func (s *Space[K, V]) Get(key K) (value V, found bool) {
	if s.cache == nil {
		return value, false
	}
	return s.shard(key).hit(key)
}

// Contains reports whether the value of key is cached. It is not a use of the value and counts no
// hit.
func (s *Space[K, V]) Contains(key K) bool { return s.cache != nil && s.shard(key).contains(key) }

// Fits reports whether value is small enough to be cached.
func (s *Space[K, V]) Fits(value V) bool { return s.cache != nil && s.cache.fits(value.Size()) }

// FetchOne is Fetch for one key.
func (s *Space[K, V]) FetchOne(ctx context.Context, key K, load func(context.Context) (V, error)) (value V, err error) {
	if !IsAhead(ctx) {
		if value, found := s.Get(key); found {
			return value, nil
		}
	}
	values, err := s.Fetch(ctx, []K{key}, func(ctx context.Context, _ []K) ([]V, error) {
		value, err := load(ctx)
		return []V{value}, err
	})
	if err != nil {
		return value, err
	}
	return values[0], nil
}

// Fetch returns the values of keys, in their order. A key may occur several times. Fetch serves
// cached values, waits for values that another call is loading, and loads the rest together in one
// call of load. load must return one value for each missing key, in their order, and must not
// retain the slice of keys.
//
// The load runs in its own goroutine. Its context has the values of ctx but not its deadline. It is
// canceled when no caller waits for the load any more. A caller whose own load fails gets that
// error. A caller that waited for a failed load of another call tries again and finally loads for
// itself, so it never gets another call's error.
//
// A value over the budget is returned and not cached. In a space of a nil Cache, load gets all keys
// as given, in the caller's goroutine and context.
func (s *Space[K, V]) Fetch(ctx context.Context, keys []K, load LoadFunc[K, V]) ([]V, error) {
	if s.cache == nil {
		return s.passThrough(ctx, keys, load)
	}
	f := fetch[K, V]{space: s, keys: keys, values: make([]V, len(keys)), load: load, isAhead: s.cache.maxAheadBytes > 0 && IsAhead(ctx)}
	for at := range keys {
		f.lookup(at, true)
	}
	for joins := 1; len(f.waits) > 0; joins++ {
		failed, err := f.await(ctx)
		if err != nil {
			return nil, err
		}
		for _, at := range failed {
			f.lookup(at, joins < maxJoins)
		}
	}
	return f.values, nil
}

func (s *Space[K, V]) passThrough(ctx context.Context, keys []K, load LoadFunc[K, V]) ([]V, error) {
	if len(keys) == 0 {
		return []V{}, nil
	}
	return guard(func() ([]V, error) { return callLoad(ctx, keys, load) })
}

func (s *Space[K, V]) shard(key K) *shard[K, V] {
	return &s.shards[maphash.Comparable(s.seed, key)&(shardCount-1)]
}
