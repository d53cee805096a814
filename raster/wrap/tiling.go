package wrap

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// tiling is a wrapper that divides levels into virtual blocks: it slices large ones and stitches
// small ones. A level that already has the grid is passed through without a copy.
type tiling struct {
	raster.Wrapper
	key  string
	info raster.Info
}

// Retile returns source in virtual blocks of a size.
func Retile(source raster.Provider, blockWidth, blockHeight int) raster.Provider {
	r := &tiling{Wrapper: raster.Over(source), info: *source.Info()}
	r.key = fmt.Sprintf("%s:retiled:%dx%d", source.Key(), blockWidth, blockHeight)
	r.info.Levels = slices.Clone(r.info.Levels)
	for i := range r.info.Levels {
		r.info.Levels[i].BlockWidth, r.info.Levels[i].BlockHeight = blockWidth, blockHeight
	}
	return r
}

// Key returns the key of the source with the block size.
func (r *tiling) Key() string { return r.key }

// Info returns the info of the source with virtual blocks.
func (r *tiling) Info() *raster.Info { return &r.info }

// Blocks assembles virtual blocks from the source blocks that they touch. It reads each once, all
// in one call.
func (r *tiling) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := r.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	own, below := r.info.Levels[level], r.Provider.Info().Levels[level]
	if own == below {
		return r.Provider.Blocks(ctx, level, ids, bands)
	}
	var needed []raster.BlockID
	for _, id := range ids {
		needed = append(needed, below.Covering(own.Block(id))...)
	}
	needed = raster.UniqueBlocks(needed)
	tiles, err := r.Provider.Blocks(ctx, level, needed, bands)
	if err != nil {
		return nil, err
	}
	bandCount := len(bands)
	if bands == nil {
		bandCount = len(r.info.Bands)
	}
	retiled := make([]raster.Tile, len(ids))
	for i, id := range ids {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		retiled[i] = r.stitch(own.Block(id), below, needed, tiles, bandCount)
	}
	return retiled, nil
}

// stitch assembles one virtual block.
func (r *tiling) stitch(rect raster.Rect, below raster.Level, ids []raster.BlockID, tiles []raster.Tile, bands int) raster.Tile {
	c := raster.NewStitcher(r.info.Type, rect, bands)
	for i, id := range ids {
		c.Put(tiles[i], below.Block(id))
	}
	return c.Freeze()
}

// HasWindows returns false. Who asks for virtual blocks wants them read and cached as a whole.
func (*tiling) HasWindows(int) bool { return false }

// IsCached reports which blocks lie entirely in cached source blocks.
func (r *tiling) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	own, below := r.info.Levels[level], r.Provider.Info().Levels[level]
	return areAllCached(r.Wrapper, level, ids, bands, func(id raster.BlockID) []raster.BlockID { return below.Covering(own.Block(id)) })
}

// areAllCached reports for each block of a wrapper whether all source blocks under it are cached.
func areAllCached(source raster.CachingProvider, level int, ids []raster.BlockID, bands []int, under func(raster.BlockID) []raster.BlockID) []bool {
	cached := make([]bool, len(ids))
	for i, id := range ids {
		cached[i] = !slices.Contains(source.IsCached(level, under(id), bands), false)
	}
	return cached
}
