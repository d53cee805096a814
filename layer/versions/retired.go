package versions

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"tileserver/raster"
)

// Retired records the last dataset of each removed layer, by layer id. Pixels of removed
// layers stay cached. A different dataset that is later opened under the same key must not use
// them.
type Retired struct {
	byID    map[string]*Record
	count   int       // datasets recorded so far
	dropped keyFilter // keys of dropped records
}

// maxRetired bounds the records: files may come and go for years.
const maxRetired = 4096

// NewRetired returns a Retired without records.
func NewRetired() *Retired {
	return &Retired{byID: make(map[string]*Record), dropped: keyFilter{seed: maphash.MakeSeed()}}
}

// Add records the last dataset of a layer. Above maxRetired it drops the older half of the records and adds
// their keys to the filter.
func (r *Retired) Add(id string, record *Record) {
	r.count++
	record.retirement = r.count
	r.byID[id] = record
	if len(r.byID) <= maxRetired {
		return
	}
	ids := slices.SortedFunc(maps.Keys(r.byID), func(a, b string) int { return cmp.Compare(r.byID[a].retirement, r.byID[b].retirement) })
	for _, id := range ids[:len(ids)/2] {
		r.dropped.add(r.byID[id].key)
		delete(r.byID, id)
	}
}

// Rekey returns the provider of a dataset opened under a layer id, rekeyed if another dataset of
// its key may have cached pixels.
func (r *Retired) Rekey(id string, p raster.Provider, identity string, keys *Keys) raster.Provider {
	if record, ok := r.byID[id]; ok && record.HasKeyOf(p) {
		return record.Returning(p, identity, keys)
	}
	if r.dropped.mayContain(p.Key()) {
		return keys.rekey(p)
	}
	return p
}

// A keyFilter is a set of keys with false positives: one bit represents many keys. A false positive
// only costs a dataset its cached pixels.
type keyFilter struct {
	seed maphash.Seed
	bits []uint64 // nil while the filter is empty
}

// keyFilterBits take 128 KiB.
const keyFilterBits = 1 << 20

func (f *keyFilter) add(key string) {
	if f.bits == nil {
		f.bits = make([]uint64, keyFilterBits/64)
	}
	word, bit := f.position(key)
	f.bits[word] |= bit
}

func (f *keyFilter) mayContain(key string) bool {
	word, bit := f.position(key)
	return f.bits != nil && f.bits[word]&bit != 0
}

func (f *keyFilter) position(key string) (word int, bit uint64) {
	n := maphash.String(f.seed, key) % keyFilterBits
	return int(n / 64), 1 << (n % 64)
}
