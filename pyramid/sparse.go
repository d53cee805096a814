package pyramid

import (
	"context"

	"tileserver/raster"
)

// Wrappers that show pixels where their source has some, and none elsewhere, are
// as sparse as that: what is empty needs no reading, at any level.

// isEmpty asks a provider that may be sparse.
func isEmpty(ctx context.Context, p raster.Provider, level int, rect raster.Rect) (bool, error) {
	if s, ok := p.(raster.SparseProvider); ok {
		return s.Empty(ctx, level, rect)
	}
	return false, nil
}

// Empty returns the source's.
func (c *Cached) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return isEmpty(ctx, c.Provider, level, rect)
}

// Empty returns the source's: masking adds no pixels.
func (m *Masked) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	return isEmpty(ctx, m.Provider, level, rect)
}

// Empty returns the source's; padding is empty.
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

// Empty is, for a made level, what there is under it in the last stored one.
func (d *Downsampled) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if level < d.native {
		return isEmpty(ctx, d.source, level, rect)
	}
	if err := d.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return isEmpty(ctx, d.stored, d.native-1, d.under(level, rect))
}

// under returns what a rectangle of a made level is made of in the last stored one.
func (d *Downsampled) under(level int, rect raster.Rect) raster.Rect {
	halvings := level - d.native + 1
	rect = rect.Intersect(d.info.Levels[level].Bounds())
	return raster.Rect{
		X0: rect.X0 << halvings, Y0: rect.Y0 << halvings, X1: rect.X1 << halvings, Y1: rect.Y1 << halvings,
	}.Intersect(d.shape.stored.Bounds())
}
