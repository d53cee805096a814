package web

import "github.com/hashicorp/golang-lru/v2/simplelru"

// recent has the values that were used last, by paths, within a bound of their sizes. It is not safe for
// concurrent use.
type recent[V any] struct {
	values *simplelru.LRU[string, V]
	size   func(V) int64
	max    int64
	used   int64
}

func newRecent[V any](max int64, size func(V) int64) *recent[V] {
	r := &recent[V]{size: size, max: max}
	r.values, _ = simplelru.NewLRU(maxEntries, func(_ string, gone V) { r.used -= r.size(gone) }) // fails for no size only
	return r
}

// maxEntries exceeds the entries of any bound.
const maxEntries = 1 << 20

// put sets the value of a path, and drops those that were not used for the longest.
func (r *recent[V]) put(path string, value V) {
	r.drop(path)
	r.values.Add(path, value)
	for r.used += r.size(value); r.used > r.max; {
		r.values.RemoveOldest()
	}
}

// get returns the value of a path, which is a use.
func (r *recent[V]) get(path string) (value V, ok bool) { return r.values.Get(path) }

// drop removes the value of a path.
func (r *recent[V]) drop(path string) { r.values.Remove(path) }
