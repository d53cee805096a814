package stream

import (
	"context"
	"errors"
	"fmt"

	"tileserver/raster"
)

// read reads blocks together. If that fails, it reads them one by one, so that only the views of those that
// cannot be read fail.
func (w *walk) read(ctx context.Context, missing []*block) {
	stored := w.findStored(ctx, missing)
	err := w.readTogether(ctx, stored)
	for _, b := range stored {
		if b.err = err; len(stored) > 1 && isOfBlocks(ctx, err) {
			b.err = w.readTogether(ctx, []*block{b})
		}
	}
	for _, b := range missing {
		w.memory.settle(b)
	}
}

// findStored returns those blocks of which a pixel may be stored.
func (w *walk) findStored(ctx context.Context, blocks []*block) (stored []*block) {
	for _, b := range blocks {
		isEmpty, err := raster.IsEmpty(ctx, w.provider, w.config.Level, w.level.Block(b.id))
		if b.err = err; err == nil && !isEmpty {
			stored = append(stored, b)
		}
	}
	return stored
}

// isOfBlocks reports whether an error may be that of some blocks, while others can be read.
func isOfBlocks(ctx context.Context, err error) bool {
	var stalled raster.StalledError
	return err != nil && ctx.Err() == nil && !errors.Is(err, raster.ErrChanged) && !errors.As(err, &stalled)
}

// readTogether reads blocks in one call.
func (w *walk) readTogether(ctx context.Context, blocks []*block) error {
	if len(blocks) == 0 {
		return nil
	}
	ids := make([]raster.BlockID, len(blocks))
	for i, b := range blocks {
		ids[i] = b.id
	}
	tiles, err := w.provider.Blocks(ctx, w.config.Level, ids, w.config.Bands)
	if err != nil {
		return err
	}
	if len(tiles) != len(ids) {
		return fmt.Errorf("%d tiles for %d blocks", len(tiles), len(ids))
	}
	for i, b := range blocks {
		b.tile = tiles[i]
	}
	return nil
}
