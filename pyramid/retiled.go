package pyramid

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// RetiledConfig configures the virtual blocks of a Retiled.
type RetiledConfig struct {
	BlockWidth, BlockHeight int // 0 means DefaultBlockSize

	// PadEdges makes the blocks at the right and bottom edges full size. The added pixels hold the
	// source's pad value and are invalid, and levels grow to whole blocks.
	PadEdges bool
}

// DefaultBlockSize is the default side of virtual blocks.
const DefaultBlockSize = 1024

// Retiled is a wrapper that divides levels into other blocks: it slices large ones and stitches
// small ones. A level that already has the grid is passed through without a copy.
type Retiled struct {
	source raster.Provider
	config RetiledConfig
	key    string
	info   raster.Info
}

var _ raster.Provider = (*Retiled)(nil)

// NewRetiled returns source in virtual blocks.
func NewRetiled(source raster.Provider, config RetiledConfig) *Retiled {
	if config.BlockWidth <= 0 {
		config.BlockWidth = DefaultBlockSize
	}
	if config.BlockHeight <= 0 {
		config.BlockHeight = DefaultBlockSize
	}
	r := &Retiled{source: source, config: config, info: *source.Info()}
	r.key = fmt.Sprintf("%s:retiled:%dx%d", source.Key(), config.BlockWidth, config.BlockHeight)
	if config.PadEdges {
		r.key += ":pad"
	}
	r.info.Levels = slices.Clone(r.info.Levels)
	for i := range r.info.Levels {
		l := &r.info.Levels[i]
		l.BlockWidth, l.BlockHeight = config.BlockWidth, config.BlockHeight
		if config.PadEdges {
			l.Width, l.Height = l.Columns()*l.BlockWidth, l.Rows()*l.BlockHeight
		}
	}
	return r
}

// Key returns the key of the source with the block size and padding.
func (r *Retiled) Key() string { return r.key }

// Info returns the info of the source with virtual blocks.
func (r *Retiled) Info() *raster.Info { return &r.info }

// Blocks assembles virtual blocks from the source blocks that they touch. It reads each once, all
// in one call.
func (r *Retiled) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if err := r.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	own, below := r.info.Levels[level], r.source.Info().Levels[level]
	if own == below {
		return r.source.Blocks(ctx, level, ids, bands)
	}
	var needed []raster.BlockID
	for _, id := range ids {
		needed = append(needed, below.Covering(own.Block(id))...)
	}
	needed = uniqueBlocks(needed)
	tiles, err := r.source.Blocks(ctx, level, needed, bands)
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

func uniqueBlocks(ids []raster.BlockID) []raster.BlockID {
	slices.SortFunc(ids, func(a, b raster.BlockID) int {
		if a.Row != b.Row {
			return a.Row - b.Row
		}
		return a.Col - b.Col
	})
	return slices.Compact(ids)
}

// stitch assembles one virtual block.
func (r *Retiled) stitch(rect raster.Rect, below raster.Level, ids []raster.BlockID, tiles []raster.Tile, bands int) raster.Tile {
	c := newStitcher(&r.info, rect, bands)
	if rect.Intersect(below.Bounds()) != rect {
		c.markAllInvalid()
	}
	for i, id := range ids {
		c.put(tiles[i], below.Block(id))
	}
	return c.buffer.Freeze()
}
