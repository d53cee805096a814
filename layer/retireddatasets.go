package layer

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"

	"tileserver/raster"
)

// formers are remembered of layers that are not served any more, by their ids. What is kept
// of their pixels may be kept for as long as the process runs, and must not be taken for that
// of another dataset of the same key.
type retiredDatasets struct {
	byID    map[string]*keyRecord
	count   int // so far
	dropped keyFilter
}

// maxFormers bounds them: a folder may have files come and go for ever.
const maxRetiredDatasets = 4096

func newRetiredDatasets() retiredDatasets {
	return retiredDatasets{byID: make(map[string]*keyRecord), dropped: keyFilter{seed: maphash.MakeSeed()}}
}

// add remembers one, and forgets half of them, the oldest first, where they have become too
// many.
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

// recognize is the provider of a dataset that comes under an id.
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

// forgotten is what is still known of keys that are not remembered: a bit for many of them.
// Who has a bit of another loses no more than what is kept of its own pixels.
type keyFilter struct {
	seed maphash.Seed
	bits []uint64 // none before there is a key
}

// forgottenBits are 128 KiB.
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
