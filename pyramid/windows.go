package pyramid

import (
	"context"

	"tileserver/raster"
)

// Wrappers that make each pixel of one of their source's have windows where that has some.

// hasWindows asks a provider that may be windowed.
func hasWindows(p raster.Provider, level int) bool {
	w, ok := p.(raster.WindowProvider)
	return ok && w.HasWindows(level)
}

// windowOf returns a window of a provider that has windows of the level.
func windowOf(ctx context.Context, p raster.Provider, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return p.(raster.WindowProvider).Window(ctx, level, rect, bands)
}

// HasWindows tells what the source tells.
func (c *Cached) HasWindows(level int) bool { return hasWindows(c.Provider, level) }

// Window returns the source's, and not kept: what is dear in it the source keeps itself.
func (c *Cached) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return windowOf(ctx, c.Provider, level, rect, bands)
}

// HasWindows tells what the source tells.
func (m *Masked) HasWindows(level int) bool { return hasWindows(m.Provider, level) }

// Window masks a window of the source.
func (m *Masked) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := windowOf(ctx, m.Provider, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return m.mask(t), nil
}

// HasWindows tells what the source tells.
func (s *Spread) HasWindows(level int) bool { return hasWindows(s.source, level) }

// Window spreads the samples of a window of the source.
func (s *Spread) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	t, err := windowOf(ctx, s.source, level, rect, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	return s.tile(t), nil
}

// HasWindows tells, of levels that are not made, what the source tells.
func (d *Downsampled) HasWindows(level int) bool {
	return level < d.native && hasWindows(d.source, level)
}

// Window returns the source's.
func (d *Downsampled) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return windowOf(ctx, d.source, level, rect, bands)
}
