package layer

import (
	"context"
	"fmt"
	"sync/atomic"

	"tileserver/raster"
)

// again is a provider under another key. A dataset that has changed and cannot be
// told from the one before it, such as a file of the same size that was given the
// same time, must not find what is kept of that one.
type rekeyed struct {
	raster.Provider
	number int64
}

// numbers tell datasets of one key apart. No two of a catalog get the same, whichever layer
// of an id opens them: one that is superseded may find a change as well as that which is
// served.
type keySequence struct{ last atomic.Int64 }

// tellApart is a provider under a key that no other has had.
func (s *keySequence) rekey(p raster.Provider) raster.Provider { return rekeyed{p, s.last.Add(1)} }

var (
	_ raster.SparseProvider  = rekeyed{}
	_ raster.PictureProvider = rekeyed{}
	_ raster.WindowProvider  = rekeyed{}
)

// former is what is remembered of a dataset for the one after it.
type keyRecord struct {
	key        string // of its provider, as that tells it itself
	number     int64  // that it was told apart by; 0: it had its own key
	identity   string // that of the dataset
	retirement int    // how many had left with it
}

func keyRecordOf(d *Dataset) *keyRecord {
	k := &keyRecord{key: d.Provider.Key(), identity: d.Identity}
	if r, ok := d.Provider.(rekeyed); ok {
		k.key, k.number = r.Provider.Key(), r.number
	}
	return k
}

// successor is the provider of the dataset that takes the place of this one, under another
// key.
func (k *keyRecord) rekeySuccessor(next raster.Provider, keys *keySequence) raster.Provider {
	if k.key != next.Key() {
		return next
	}
	return keys.rekey(next)
}

// recognize is the provider of a dataset of the same key that is opened after that was out of
// use for a while, as a file that comes back: under the same key as then if it is known to be
// the same, and else under another one.
func (k *keyRecord) rekeyReturning(next *Dataset, keys *keySequence) raster.Provider {
	switch isSame := k.identity != "" && k.identity == next.Identity; {
	case isSame && k.number == 0:
		return next.Provider
	case isSame:
		return rekeyed{next.Provider, k.number}
	}
	return keys.rekey(next.Provider)
}

// Key is the provider's with the number.
func (r rekeyed) Key() string { return fmt.Sprintf("%s:again:%d", r.Provider.Key(), r.number) }

// Empty is the provider's.
func (r rekeyed) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if s, ok := r.Provider.(raster.SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// HasWindows tells what the provider tells.
func (r rekeyed) HasWindows(level int) bool {
	w, ok := r.Provider.(raster.WindowProvider)
	return ok && w.HasWindows(level)
}

// Window is the provider's.
func (r rekeyed) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return r.Provider.(raster.WindowProvider).Window(ctx, level, rect, bands)
}

// StoredPicture is the provider's.
func (r rekeyed) StoredPicture(ctx context.Context, level int, id raster.BlockID) (raster.StoredPicture, bool, error) {
	if p, ok := r.Provider.(raster.PictureProvider); ok {
		return p.StoredPicture(ctx, level, id)
	}
	return raster.StoredPicture{}, false, nil
}
