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
type again struct {
	raster.Provider
	number int64
}

// numbers tell datasets of one key apart. No two of a catalog get the same, whichever layer
// of an id opens them: one that is superseded may find a change as well as that which is
// served.
type numbers struct{ last atomic.Int64 }

// tellApart is a provider under a key that no other has had.
func (n *numbers) tellApart(p raster.Provider) raster.Provider { return again{p, n.last.Add(1)} }

var (
	_ raster.SparseProvider  = again{}
	_ raster.PictureProvider = again{}
	_ raster.WindowProvider  = again{}
)

// former is what is remembered of a dataset for the one after it.
type former struct {
	key      string // of its provider, as that tells it itself
	number   int64  // that it was told apart by; 0: it had its own key
	identity string // that of the dataset
	left     int    // how many had left with it
}

func formerOf(d *Dataset) *former {
	f := &former{key: d.Provider.Key(), identity: d.Identity}
	if a, ok := d.Provider.(again); ok {
		f.key, f.number = a.Provider.Key(), a.number
	}
	return f
}

// successor is the provider of the dataset that takes the place of this one, under another
// key.
func (f *former) successor(next raster.Provider, n *numbers) raster.Provider {
	if f.key != next.Key() {
		return next
	}
	return n.tellApart(next)
}

// recognize is the provider of a dataset of the same key that is opened after that was out of
// use for a while, as a file that comes back: under the same key as then if it is known to be
// the same, and else under another one.
func (f *former) recognize(next *Dataset, n *numbers) raster.Provider {
	switch isSame := f.identity != "" && f.identity == next.Identity; {
	case isSame && f.number == 0:
		return next.Provider
	case isSame:
		return again{next.Provider, f.number}
	}
	return n.tellApart(next.Provider)
}

// Key is the provider's with the number.
func (a again) Key() string { return fmt.Sprintf("%s:again:%d", a.Provider.Key(), a.number) }

// Empty is the provider's.
func (a again) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if s, ok := a.Provider.(raster.SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// HasWindows tells what the provider tells.
func (a again) HasWindows(level int) bool {
	w, ok := a.Provider.(raster.WindowProvider)
	return ok && w.HasWindows(level)
}

// Window is the provider's.
func (a again) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return a.Provider.(raster.WindowProvider).Window(ctx, level, rect, bands)
}

// StoredPicture is the provider's.
func (a again) StoredPicture(ctx context.Context, level int, id raster.BlockID) (raster.StoredPicture, bool, error) {
	if p, ok := a.Provider.(raster.PictureProvider); ok {
		return p.StoredPicture(ctx, level, id)
	}
	return raster.StoredPicture{}, false, nil
}
