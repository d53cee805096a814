package dump

import (
	"context"
	"errors"

	"tileserver/cache"
	"tileserver/cmd/tileserver/damaged"
	"tileserver/decode"
	"tileserver/decode/georeference"
	"tileserver/raster"
)

// FindDamage reads all pixels and records what is lost.
func (d *Dump) FindDamage(ctx context.Context) error {
	for _, bands := range d.bandsAtATime() {
		for piece := range d.pieces(len(bands)) {
			if err := d.findDamageIn(ctx, piece, bands); err != nil {
				return err
			}
		}
	}
	return nil
}

// findDamageIn records what is lost of a piece. If the piece cannot be read, its blocks are read
// one by one, so that each unreadable block counts. Insufficient memory and unsupported pixels are
// errors, not damage.
func (d *Dump) findDamageIn(ctx context.Context, piece raster.Rect, bands []int) error {
	read, err := d.read(ctx, piece, bands)
	blocks := d.Provider.Info().Levels[d.Level].Covering(piece)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, cache.ErrOverBudget), errors.Is(err, georeference.ErrLimit), errors.Is(err, decode.ErrUnsupported):
		return err
	case err != nil && len(blocks) > 1:
		for _, id := range blocks {
			block := d.Provider.Info().Levels[d.Level].Block(id).Intersect(piece)
			if err := d.findDamageIn(ctx, block, bands); err != nil {
				return err
			}
		}
	case err != nil:
		d.lost.isBegun, d.lost.damage = true, d.lost.damage.Join(damaged.Unreadable(err))
	}
	for _, tile := range read.tiles {
		d.lost.add(tile)
	}
	return nil
}
