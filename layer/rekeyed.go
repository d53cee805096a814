package layer

import (
	"context"
	"fmt"
	"sync/atomic"

	"tileserver/raster"
)

// A rekeyed provider has a distinct key. A changed dataset may have the key of the one before it,
// for example if its file has the same size and time. It must not find the cached pixels of that
// one.
type rekeyed struct {
	raster.Provider
	number int64
}

// A keySequence numbers datasets of equal keys. All layers of a catalog share one, since a
// superseded layer may detect a change at the same time as the layer that replaced it.
type keySequence struct{ last atomic.Int64 }

// rekey returns p under a key that no provider has had.
func (s *keySequence) rekey(p raster.Provider) raster.Provider { return rekeyed{p, s.last.Add(1)} }

var (
	_ raster.SparseProvider  = rekeyed{}
	_ raster.PictureProvider = rekeyed{}
	_ raster.WindowProvider  = rekeyed{}
)

// A keyRecord records the key of a dataset. The next dataset of the same file is compared with it.
type keyRecord struct {
	key        string // of the provider, without a number
	number     int64  // the number of a rekeyed provider, else 0
	identity   string // Dataset.Identity
	retirement int    // position in the order in which layers were removed
}

func keyRecordOf(d *Dataset) *keyRecord {
	k := &keyRecord{key: d.Provider.Key(), identity: d.Identity}
	if r, ok := d.Provider.(rekeyed); ok {
		k.key, k.number = r.Provider.Key(), r.number
	}
	return k
}

// rekeySuccessor returns the provider of the next version of the dataset. It is rekeyed if both
// have the same key.
func (k *keyRecord) rekeySuccessor(next raster.Provider, keys *keySequence) raster.Provider {
	if k.key != next.Key() {
		return next
	}
	return keys.rekey(next)
}

// rekeyReturning returns the provider of a dataset that has the recorded key and is opened some
// time later, for example a file that was removed and restored. It keeps its previous key, with the
// cached pixels, if its identity is known to be the same. Otherwise it gets a new key.
func (k *keyRecord) rekeyReturning(next *Dataset, keys *keySequence) raster.Provider {
	switch isSame := k.identity != "" && k.identity == next.Identity; {
	case isSame && k.number == 0:
		return next.Provider
	case isSame:
		return rekeyed{next.Provider, k.number}
	}
	return keys.rekey(next.Provider)
}

// Key returns the provider's key with the number appended.
func (r rekeyed) Key() string { return fmt.Sprintf("%s:again:%d", r.Provider.Key(), r.number) }

// Empty reports whether the provider has no pixels in a rectangle of a level.
func (r rekeyed) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if s, ok := r.Provider.(raster.SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// HasWindows reports whether the provider has windows of a level.
func (r rekeyed) HasWindows(level int) bool {
	w, ok := r.Provider.(raster.WindowProvider)
	return ok && w.HasWindows(level)
}

// Window returns a window of the provider.
func (r rekeyed) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return r.Provider.(raster.WindowProvider).Window(ctx, level, rect, bands)
}

// StoredPicture returns a stored picture of the provider.
func (r rekeyed) StoredPicture(ctx context.Context, level int, id raster.BlockID) (raster.StoredPicture, bool, error) {
	if p, ok := r.Provider.(raster.PictureProvider); ok {
		return p.StoredPicture(ctx, level, id)
	}
	return raster.StoredPicture{}, false, nil
}
