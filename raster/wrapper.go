package raster

import "context"

// Wrapper is embedded by every provider over another one, its source. It passes on everything,
// including the capabilities that the source may have. A wrapper overrides the methods whose answer
// it changes: to give another answer, or to drop a capability, with the reason in a comment.
//
// rastertest.CheckWrapper fails for a wrapper that drops a capability without saying so, and for
// one that passes on an answer that its own blocks contradict.
type Wrapper struct{ Provider }

// Over returns the wrapper of a source.
func Over(source Provider) Wrapper { return Wrapper{source} }

// Empty asks the source.
func (w Wrapper) Empty(ctx context.Context, level int, rect Rect) (bool, error) {
	return IsEmpty(ctx, w.Provider, level, rect)
}

// HasWindows asks the source.
func (w Wrapper) HasWindows(level int) bool { return HasWindows(w.Provider, level) }

// Window returns a window of the source.
func (w Wrapper) Window(ctx context.Context, level int, rect Rect, bands []int) (Tile, error) {
	return ReadWindow(ctx, w.Provider, level, rect, bands)
}

// StoredPicture returns a stored picture of the source.
func (w Wrapper) StoredPicture(ctx context.Context, level int, rect Rect) (StoredPicture, bool, error) {
	return FindStoredPicture(ctx, w.Provider, level, rect)
}

// IsCached asks the source.
func (w Wrapper) IsCached(level int, ids []BlockID, bands []int) []bool {
	return IsCached(w.Provider, level, ids, bands)
}
