package overview

import (
	"context"
	"errors"
	"slices"

	"tileserver/raster"
)

// A block of the overviews without a mask serves with the mask, if none of the samples that it was made
// of has the masked value: then both were made of the same pixels. Masking the block itself would be
// wrong where it has the value, since a mean may have it by chance, and may contain it where it does not.

// unmasked returns the builder of the same blocks without the mask, or nil.
func (m *blockBuilder) unmasked(level int) *blockBuilder {
	if m.config.Unmasked == nil {
		return nil
	}
	return m.config.Unmasked.newBuilder(level, m.bands)
}

// isSameMasked reports whether a block without the mask is known to be the same with it.
func (m *blockBuilder) isSameMasked(tile raster.Tile) bool {
	value := m.config.Masked
	if m.info.Type == raster.Float32 {
		value = float64(float32(value)) // as masks compare it
	}
	return tile.MadeOf() != nil && !slices.ContainsFunc(tile.MadeOf(), func(samples raster.Interval) bool { return samples.Contains(value) })
}

// areInUnmasked reports which blocks are in memory without the mask and are the same with it.
func (m *blockBuilder) areInUnmasked(level int, ids []raster.BlockID) []bool {
	are := make([]bool, len(ids))
	u := m.unmasked(level)
	if u == nil {
		return are
	}
	space, keys := u.spaceOf(level, len(u.bands)), u.keys(level, ids)
	for i, isCached := range space.Contains(keys) {
		if isCached {
			tile, ok := space.Get(keys[i])
			are[i] = ok && m.isSameMasked(tile)
		}
	}
	return are
}

// areSavedUnmasked reports which blocks are saved without the mask and not in memory. Whether they are
// the same with it shows when they are loaded.
func (m *blockBuilder) areSavedUnmasked(level int, ids []raster.BlockID) []bool {
	u := m.unmasked(level)
	if u == nil {
		return make([]bool, len(ids))
	}
	are := u.areCached(level, ids)
	for i, isCached := range are {
		are[i] = !isCached && u.isSaved(level, ids[i])
	}
	return are
}

// fromUnmasked returns the blocks that are built without the mask and are the same with it. It loads
// saved ones, but builds none that is expensive.
func (m *blockBuilder) fromUnmasked(ctx context.Context, level int, ids []raster.BlockID) (map[raster.BlockID]raster.Tile, error) {
	u := m.unmasked(level)
	if u == nil {
		return nil, nil
	}
	built := filter(ids, u.areBuilt(level, ids), true)
	tiles, err := u.requested(ctx, level, built)
	var lost *TooExpensiveError
	if errors.As(err, &lost) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	same := make(map[raster.BlockID]raster.Tile)
	for i, id := range built {
		if m.isSameMasked(tiles[i]) {
			same[id] = tiles[i]
		}
	}
	return same, nil
}

// takeUnmasked stores blocks of fromUnmasked at their places in tiles, and returns those that are still
// missing.
func (m *blockBuilder) takeUnmasked(ctx context.Context, level int, ids []raster.BlockID, tiles []raster.Tile, missing []raster.BlockID) ([]raster.BlockID, error) {
	same, err := m.fromUnmasked(ctx, level, missing)
	if err != nil || len(same) == 0 {
		return missing, err
	}
	for i, id := range ids {
		if tile, ok := same[id]; ok {
			tiles[i] = tile
		}
	}
	return slices.DeleteFunc(missing, func(id raster.BlockID) bool { return !same[id].IsZero() }), nil
}

// filter returns the blocks with a mark.
func filter(ids []raster.BlockID, marks []bool, mark bool) (marked []raster.BlockID) {
	for i, id := range ids {
		if marks[i] == mark {
			marked = append(marked, id)
		}
	}
	return marked
}
