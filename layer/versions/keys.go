package versions

import (
	"sync/atomic"

	"tileserver/raster"
)

// Keys give distinct keys to datasets of equal keys. All files of a server share them, since two
// sequences of one file may detect a change at the same time.
type Keys struct{ last atomic.Int64 }

// rekey returns p under a key that no provider has had.
func (k *Keys) rekey(p raster.Provider) raster.Provider {
	return rekeyed{raster.Over(p), k.last.Add(1)}
}

// A Record records the key of a dataset. The next dataset of the same file is compared with it.
type Record struct {
	key        string // of the provider, without a number
	number     int64  // the number of a rekeyed provider, else 0
	identity   string // of the content on this machine; "" if unknown
	retirement int    // position in the order in which layers were removed
}

// RecordOf returns the record of a dataset. identity identifies its content on this machine, and is
// "" if that is unknown.
func RecordOf(p raster.Provider, identity string) *Record {
	record := &Record{key: p.Key(), identity: identity}
	if r, ok := p.(rekeyed); ok {
		record.key, record.number = r.Provider.Key(), r.number
	}
	return record
}

// HasKeyOf reports whether the recorded dataset had the key of p, apart from numbers.
func (r *Record) HasKeyOf(p raster.Provider) bool { return r.key == p.Key() }

// Successor returns the provider of the next version of the dataset. It is rekeyed if both have the
// same key.
func (r *Record) Successor(next raster.Provider, keys *Keys) raster.Provider {
	if !r.HasKeyOf(next) {
		return next
	}
	return keys.rekey(next)
}

// Returning returns the provider of a dataset that has the recorded key and is opened some time
// later, for example a file that was removed and restored. It keeps its previous key, with the
// cached pixels, if its identity is known to be the same. Otherwise it gets a new key.
func (r *Record) Returning(next raster.Provider, identity string, keys *Keys) raster.Provider {
	switch isSame := r.identity != "" && r.identity == identity; {
	case isSame && r.number == 0:
		return next
	case isSame:
		return rekeyed{raster.Over(next), r.number}
	}
	return keys.rekey(next)
}
