package pyramid

import (
	"context"

	"tileserver/raster"
)

// Wrappers that map each pixel to one source pixel have windows where the source has them.

// hasWindows asks a provider that may have windows.
func hasWindows(p raster.Provider, level int) bool {
	w, ok := p.(raster.WindowProvider)
	return ok && w.HasWindows(level)
}

// windowOf returns a window of a provider that has windows of the level.
func windowOf(ctx context.Context, p raster.Provider, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return p.(raster.WindowProvider).Window(ctx, level, rect, bands)
}

// HasWindows delegates to the source.
func (c *Cached) HasWindows(level int) bool { return hasWindows(c.Provider, level) }

// Window returns the source's window uncached, since the source caches costly decoded data itself.
func (c *Cached) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return windowOf(ctx, c.Provider, level, rect, bands)
}

// HasWindows delegates to the source.
func (m *Masked) HasWindows(level int) bool { return hasWindows(m.Provider, level) }

// Window masks a window of the source.
func (m *Masked) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := windowOf(ctx, m.Provider, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return m.mask(t), nil
}

// HasWindows delegates to the source.
func (s *Spread) HasWindows(level int) bool { return hasWindows(s.source, level) }

// Window scales the samples of a window of the source.
func (s *Spread) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := windowOf(ctx, s.source, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return s.tile(t), nil
}

// HasWindows delegates to the source for its own levels. Built levels have no windows.
func (d *Downsampled) HasWindows(level int) bool {
	return level < d.native && hasWindows(d.source, level)
}

// Window delegates to the source.
func (d *Downsampled) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return windowOf(ctx, d.source, level, rect, bands)
}
