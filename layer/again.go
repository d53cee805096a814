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

// tellApart is next, under another key than that of the version before it.
func tellApart(next, before raster.Provider) raster.Provider {
	own, times := before, 1
	if a, ok := before.(again); ok {
		own, times = a.Provider, a.times
	}
	if own.Key() != next.Key() {
		return next
	}
	return again{next, times + 1}
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
