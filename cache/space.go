package cache

import (
	"context"
	"hash/maphash"
)

// shardCount is a power of two, so that a hash is reduced by a mask.
const shardCount = 16

// Space is a typed namespace in a Cache: V by K. A key must equal itself (so no NaN in it), and it is kept as long as
// its value. All methods may be called by several goroutines.
type Space[K comparable, V Sizer] struct {
	cache  *Cache // nil: nothing is kept, and there are no shards
	name   string
	seed   maphash.Seed
	shards []shard[K, V]
}

// NewSpace makes an empty Space in c. The name is for statistics; give each space of a Cache its own. A space lives as
// long as its Cache: make one per kind of value, not one per file, and put what tells files apart into the key.
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
	}
	return s
}

// Get returns the value of key if it is kept. It allocates nothing and never waits for a load. A hit is counted as one;
// a miss is not counted, since the Fetch that follows it counts it.
func (s *Space[K, V]) Get(key K) (value V, found bool) {
	if s.cache == nil {
		return value, false
	}
	return s.shard(key).hit(key)
}

// Contains reports whether the value of key is kept. It is neither a use of the value nor counted as one.
func (s *Space[K, V]) Contains(key K) bool { return s.cache != nil && s.shard(key).contains(key) }

// Fits reports whether a value is kept when it is loaded, as far as its size goes.
func (s *Space[K, V]) Fits(value V) bool { return s.cache != nil && s.cache.fits(value.Size()) }

// FetchOne is Fetch for one key.
func (s *Space[K, V]) FetchOne(ctx context.Context, key K, load func(context.Context) (V, error)) (value V, err error) {
	if value, found := s.Get(key); found {
		return value, nil
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

// Fetch returns the values of keys, in their order; a key may occur several times. Values that are kept are served,
// those that another call is loading are waited for, and the rest are loaded together by one call of load, which must
// return one value for each of the missing keys, in their order, and leave the slice to Fetch.
//
// The load runs in a goroutine of its own. Its context has the values of ctx but not its deadline, and it is cancelled
// when nobody waits for the load any more. A caller whose own load fails gets the error of that load. A caller that
// only waited never does: it looks again and loads for itself, so it fails by its own load or not at all.
//
// A value over the budget is returned and not kept. In a space of a nil Cache, load gets all keys as they are, in the
// goroutine and the context of the caller.
func (s *Space[K, V]) Fetch(ctx context.Context, keys []K, load LoadFunc[K, V]) ([]V, error) {
	if s.cache == nil {
		return s.passThrough(ctx, keys, load)
	}
	f := fetch[K, V]{space: s, keys: keys, values: make([]V, len(keys)), load: load}
	for at := range keys {
		f.look(at, true)
	}
	for joins := 1; len(f.waits) > 0; joins++ {
		failed, err := f.await(ctx)
		if err != nil {
			return nil, err
		}
		for _, at := range failed {
			f.look(at, joins < maxJoins)
		}
	}
	return f.values, nil
}

func (s *Space[K, V]) passThrough(ctx context.Context, keys []K, load LoadFunc[K, V]) ([]V, error) {
	if len(keys) == 0 {
		return []V{}, nil
	}
	return guard(func() ([]V, error) { return ask(ctx, keys, load) })
}

func (s *Space[K, V]) shard(key K) *shard[K, V] {
	return &s.shards[maphash.Comparable(s.seed, key)&(shardCount-1)]
}
