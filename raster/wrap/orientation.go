package wrap

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// orientation is a wrapper that turns and mirrors an image. A block equals one source block if the
// source grid ends exactly at the image edge or needs no mirroring. Other blocks are stitched from
// two or four source blocks, so the source should be cached.
type orientation struct {
	raster.Wrapper
	turn turn
	key  string
	info raster.Info
}

// Orient returns source upright, in the orientation that its info names. That may be source itself.
func Orient(source raster.Provider) raster.Provider {
	o := &orientation{Wrapper: raster.Over(source), turn: turnOf(source.Info().Orientation), info: *source.Info()}
	if o.turn == (turn{}) {
		return source
	}
	o.key = fmt.Sprintf("%s:oriented:%d", source.Key(), o.info.Orientation)
	o.info.Orientation = 1
	o.info.Levels = slices.Clone(o.info.Levels)
	for i, l := range o.info.Levels {
		o.info.Levels[i] = o.turn.level(l, source.Info().Levels[0])
	}
	return o
}

// Key returns the key of the source with the orientation.
func (o *orientation) Key() string { return o.key }

// Info returns the info of the source in the new orientation.
func (o *orientation) Info() *raster.Info { return &o.info }

// Blocks turns source blocks. It reads each once, all in one call.
func (o *orientation) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := o.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	var needed []raster.BlockID
	for _, id := range ids {
		needed = append(needed, o.under(level, id)...)
	}
	needed = raster.UniqueBlocks(needed)
	tiles, err := o.Provider.Blocks(ctx, level, needed, bands)
	if err != nil {
		return nil, err
	}
	stored := make(map[raster.BlockID]raster.Tile, len(tiles))
	for i, tile := range tiles {
		stored[needed[i]] = tile
	}
	oriented := make([]raster.Tile, len(ids))
	for i, id := range ids {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		oriented[i] = o.block(level, id, stored)
	}
	return oriented, nil
}

// under lists the source blocks that a block touches.
func (o *orientation) under(level int, id raster.BlockID) []raster.BlockID {
	stored := o.Provider.Info().Levels[level]
	return stored.Covering(o.turn.storedAt(o.info.Levels[level].Block(id), stored))
}

// block assembles a block from source blocks.
func (o *orientation) block(level int, id raster.BlockID, stored map[raster.BlockID]raster.Tile) raster.Tile {
	below, rect := o.Provider.Info().Levels[level], o.info.Levels[level].Block(id)
	var c *raster.Stitcher
	for _, under := range o.under(level, id) {
		tile, at := stored[under], below.Block(under)
		part := at.Intersect(o.turn.storedAt(rect, below))
		cut := o.turn.cut(tile, raster.Rect{X0: part.X0 - at.X0, Y0: part.Y0 - at.Y0, X1: part.X1 - at.X0, Y1: part.Y1 - at.Y0})
		shown := o.turn.shown(part, below)
		if shown == rect {
			return cut
		}
		if c == nil {
			c = raster.NewStitcher(o.info.Type, rect, tile.Bands())
		}
		c.Put(cut, shown)
	}
	return c.Freeze()
}

// Empty asks the source for the stored rectangle.
func (o *orientation) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if err := o.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return o.Wrapper.Empty(ctx, level, o.turn.storedAt(rect, o.Provider.Info().Levels[level]))
}

// IsCached reports which blocks lie entirely in cached source blocks.
func (o *orientation) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	return areAllCached(o.Wrapper, level, ids, bands, func(id raster.BlockID) []raster.BlockID { return o.under(level, id) })
}

// HasWindows returns false: windows are not turned.
func (*orientation) HasWindows(int) bool { return false }

// StoredPicture returns none, since a browser would show the pixels as they are stored.
func (*orientation) StoredPicture(context.Context, int, raster.Rect) (raster.StoredPicture, bool, error) {
	return raster.StoredPicture{}, false, nil
}
