package versions

import (
	"context"
	"fmt"

	"tileserver/raster"
)

// A rekeyed provider has a distinct key. A changed dataset may have the key of the one before it,
// for example if its file has the same size and time. It must not find the cached pixels of that
// one.
type rekeyed struct {
	raster.Provider
	number int64
}

var (
	_ raster.SparseProvider  = rekeyed{}
	_ raster.PictureProvider = rekeyed{}
	_ raster.WindowProvider  = rekeyed{}
)

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
