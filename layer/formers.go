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
type formers struct {
	byID      map[string]*former
	left      int // so far
	forgotten forgotten
}

// maxFormers bounds them: a folder may have files come and go for ever.
const maxFormers = 4096

func newFormers() formers {
	return formers{byID: make(map[string]*former), forgotten: forgotten{seed: maphash.MakeSeed()}}
}

// add remembers one, and forgets half of them, the oldest first, where they have become too
// many.
func (f *formers) add(id string, one *former) {
	f.left++
	one.left = f.left
	f.byID[id] = one
	if len(f.byID) <= maxFormers {
		return
	}
	ids := slices.SortedFunc(maps.Keys(f.byID), func(a, b string) int { return cmp.Compare(f.byID[a].left, f.byID[b].left) })
	for _, id := range ids[:len(ids)/2] {
		f.forgotten.add(f.byID[id].key)
		delete(f.byID, id)
	}
}

// recognize is the provider of a dataset that comes under an id.
func (f *formers) recognize(id string, d *Dataset, n *numbers) raster.Provider {
	key := d.Provider.Key()
	if one, ok := f.byID[id]; ok && one.key == key {
		return one.recognize(d, n)
	}
	if f.forgotten.mayHave(key) {
		return n.tellApart(d.Provider)
	}
	return d.Provider
}

// forgotten is what is still known of keys that are not remembered: a bit for many of them.
// Who has a bit of another loses no more than what is kept of its own pixels.
type forgotten struct {
	seed maphash.Seed
	bits []uint64 // none before there is a key
}

// forgottenBits are 128 KiB.
const forgottenBits = 1 << 20

func (f *forgotten) add(key string) {
	if f.bits == nil {
		f.bits = make([]uint64, forgottenBits/64)
	}
	word, bit := f.place(key)
	f.bits[word] |= bit
}

func (f *forgotten) mayHave(key string) bool {
	word, bit := f.place(key)
	return f.bits != nil && f.bits[word]&bit != 0
}

func (f *forgotten) place(key string) (word int, bit uint64) {
	n := maphash.String(f.seed, key) % forgottenBits
	return int(n / 64), 1 << (n % 64)
}
