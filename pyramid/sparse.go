package pyramid

import (
	"context"

	"tileserver/raster"
)

// Wrappers that keep the geometry of their source are as sparse as the source, at any level.

// isEmpty asks a provider that may be sparse.
func isEmpty(ctx context.Context, p raster.Provider, level int, rect raster.Rect) (bool, error) {
	if s, ok := p.(raster.SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// Empty delegates to the source.
func (c *Cached) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return isEmpty(ctx, c.Provider, level, rect)
}

// Empty delegates to the source: masking adds no pixels.
func (m *Masked) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return isEmpty(ctx, m.Provider, level, rect)
}

// Empty delegates to the source. Padding is empty.
func (r *Retiled) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := r.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	inside := rect.Intersect(r.source.Info().Levels[level].Bounds())
	if inside.Empty() {
		return true, nil
	}
	return isEmpty(ctx, r.source, level, inside)
}

// Empty tests a built level on the coarsest stored level under it.
func (d *Downsampled) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if level < d.native {
		return isEmpty(ctx, d.source, level, rect)
	}
	if err := d.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return isEmpty(ctx, d.stored, d.native-1, d.under(level, rect))
}

// under returns the rectangle of the coarsest stored level that a rectangle of a built level is
// built from.
func (d *Downsampled) under(level int, rect raster.Rect) raster.Rect {
	halvings := level - d.native + 1
	rect = rect.Intersect(d.info.Levels[level].Bounds())
	return raster.Rect{
		X0: rect.X0 << halvings, Y0: rect.Y0 << halvings, X1: rect.X1 << halvings, Y1: rect.Y1 << halvings,
	}.Intersect(d.shape.stored.Bounds())
}
