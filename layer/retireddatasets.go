package layer

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"tileserver/raster"
)

// retiredDatasets records the last dataset of each removed layer, by layer id. Pixels of removed
// layers stay cached. A different dataset that is later opened under the same key must not use
// them.
type retiredDatasets struct {
	byID    map[string]*keyRecord
	count   int       // datasets recorded so far
	dropped keyFilter // keys of dropped records
}

// maxRetiredDatasets bounds the records: files may come and go for years.
const maxRetiredDatasets = 4096

func newRetiredDatasets() retiredDatasets {
	return retiredDatasets{byID: make(map[string]*keyRecord), dropped: keyFilter{seed: maphash.MakeSeed()}}
}

// add records a dataset. Above maxRetiredDatasets it drops the older half of the records and adds
// their keys to the filter.
func (r *retiredDatasets) add(id string, k *keyRecord) {
	r.count++
	k.retirement = r.count
	r.byID[id] = k
	if len(r.byID) <= maxRetiredDatasets {
		return
	}
	ids := slices.SortedFunc(maps.Keys(r.byID), func(a, b string) int { return cmp.Compare(r.byID[a].retirement, r.byID[b].retirement) })
	for _, id := range ids[:len(ids)/2] {
		r.dropped.add(r.byID[id].key)
		delete(r.byID, id)
	}
}

// rekey returns the provider of a dataset opened under a layer id, rekeyed if another dataset of
// its key may have cached pixels.
func (r *retiredDatasets) rekey(id string, d *Dataset, keys *keySequence) raster.Provider {
	key := d.Provider.Key()
	if k, ok := r.byID[id]; ok && k.key == key {
		return k.rekeyReturning(d, keys)
	}
	if r.dropped.mayContain(key) {
		return keys.rekey(d.Provider)
	}
	return d.Provider
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
