package raster

import "context"

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

// IsCached asks a provider that may be a CachingProvider.
func IsCached(p Provider, level int, ids []BlockID, bands []int) []bool {
	if c, ok := p.(CachingProvider); ok {
		return c.IsCached(level, ids, bands)
	}
	return make([]bool, len(ids))
}
