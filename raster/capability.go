package raster

import "context"

// A provider may have capabilities besides Blocks, each with an interface: SparseProvider,
// WindowProvider, PictureProvider and CachingProvider. The functions here ask a provider that may
// have them. A provider without a capability answers as one that never has an empty area, a window,
// a stored picture or a cached block.

// CachingProvider is a Provider that knows which of its blocks are in memory.
type CachingProvider interface {
	Provider

	// IsCached reports for each block whether it is cached now.
	IsCached(level int, ids []BlockID, bands []int) []bool
}

// IsEmpty asks a provider that may be a SparseProvider.
func IsEmpty(ctx context.Context, p Provider, level int, rect Rect) (bool, error) {
	if s, ok := p.(SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// HasWindows asks a provider that may be a WindowProvider.
func HasWindows(p Provider, level int) bool {
	w, ok := p.(WindowProvider)
	return ok && w.HasWindows(level)
}

// ReadWindow returns a window of a provider for which HasWindows is true.
func ReadWindow(ctx context.Context, p Provider, level int, rect Rect, bands []int) (Tile, error) {
	return p.(WindowProvider).Window(ctx, level, rect, bands)
}

// FindStoredPicture asks a provider that may be a PictureProvider.
func FindStoredPicture(ctx context.Context, p Provider, level int, rect Rect) (StoredPicture, bool, error) {
	if s, ok := p.(PictureProvider); ok {
		return s.StoredPicture(ctx, level, rect)
	}
	return StoredPicture{}, false, nil
}

// IsCached asks a provider that may be a CachingProvider.
func IsCached(p Provider, level int, ids []BlockID, bands []int) []bool {
	if c, ok := p.(CachingProvider); ok {
		return c.IsCached(level, ids, bands)
	}
	return make([]bool, len(ids))
}
