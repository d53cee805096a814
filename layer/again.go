package layer

import (
	"context"
	"fmt"

	"tileserver/raster"
)

// again is a provider under another key. A dataset that has changed and cannot be
// told from the one before it, such as a file of the same size that was given the
// same time, must not find what is kept of that one.
type again struct {
	raster.Provider
	times int // that it was opened under its own key
}

var (
	_ raster.Sparse   = again{}
	_ raster.Pictured = again{}
)

// former is what is remembered of a dataset for the one after it.
type former struct {
	key      string // of its provider, as that tells it itself
	times    int    // that it was opened under that key
	identity string // that of the dataset
}

func formerOf(d *Dataset) *former {
	f := &former{key: d.Provider.Key(), times: 1, identity: d.Identity}
	if a, ok := d.Provider.(again); ok {
		f.key, f.times = a.Provider.Key(), a.times
	}
	return f
}

// tellApart is next, under another key than that of the dataset before it.
func (f *former) tellApart(next raster.Provider) raster.Provider {
	if f.key != next.Key() {
		return next
	}
	return again{next, f.times + 1}
}

// recognize is the provider of a dataset that is opened after that was out of use for a
// while, as a file that comes back: under the same key as then if it is known to be the same,
// and else under another one.
func (f *former) recognize(next *Dataset) raster.Provider {
	switch isSame := f.key == next.Provider.Key() && f.identity != "" && f.identity == next.Identity; {
	case isSame && f.times == 1:
		return next.Provider
	case isSame:
		return again{next.Provider, f.times}
	}
	return f.tellApart(next.Provider)
}

// Key is the provider's with the number of times.
func (a again) Key() string { return fmt.Sprintf("%s:again:%d", a.Provider.Key(), a.times) }

// Empty is the provider's.
func (a again) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if s, ok := a.Provider.(raster.Sparse); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// StoredPicture is the provider's.
func (a again) StoredPicture(ctx context.Context, level int, id raster.BlockID) (raster.StoredPicture, bool, error) {
	if p, ok := a.Provider.(raster.Pictured); ok {
		return p.StoredPicture(ctx, level, id)
	}
	return raster.StoredPicture{}, false, nil
}
