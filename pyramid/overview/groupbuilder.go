package overview

import (
	"context"
	"sync"

	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
)

// groupBuilder builds the blocks of a group, which share source blocks.
type groupBuilder struct {
	*blockBuilder
	level   int
	ids     []raster.BlockID // row by row
	mu      sync.Mutex       // guards the pixels of targets, and madeOf
	targets []*raster.Stitcher
	madeOf  []raster.Interval // the stored samples under the group, by band; nil if they are not told
}

func (m *blockBuilder) newGroup(level int, ids []raster.BlockID) *groupBuilder {
	g := &groupBuilder{blockBuilder: m, level: level, ids: ids}
	for _, id := range ids {
		rect := m.info.Levels[level].Block(id)
		g.targets = append(g.targets, raster.NewStitcher(m.info.Type, rect, len(m.bands)))
	}
	if m.config.TellsSamples {
		g.madeOf = noSamples(len(m.bands))
	}
	return g
}

// freeze returns the finished blocks.
func (g *groupBuilder) freeze() []raster.Tile {
	tiles := make([]raster.Tile, len(g.targets))
	for i, target := range g.targets {
		tiles[i] = target.Freeze().WithMadeOf(g.madeOf)
	}
	return tiles
}

// halveBuilt builds the group from groups of the next finer built level, several of them in parallel.
func (g *groupBuilder) halveBuilt(ctx context.Context) error {
	below := g.byGroup(g.level-1, g.finer(g.level, g.ids))
	return runParallel(ctx, len(below), g.breadth.below(g.level), func(ctx context.Context, i int) error {
		return g.halveGroup(ctx, below[i])
	})
}

// halveGroup builds and halves a group of the next finer level.
func (g *groupBuilder) halveGroup(ctx context.Context, members []raster.BlockID) error {
	tiles, err := g.blocks(ctx, g.level-1, members)
	if err != nil {
		return err
	}
	below := g.info.Levels[g.level-1]
	for i, tile := range tiles {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		g.put(tile, below.Block(members[i]))
	}
	return nil
}

// halveStored builds the group from the stored level, several pieces in parallel.
func (g *groupBuilder) halveStored(ctx context.Context) error {
	under := g.under(g.level, boundsOfBlocks(g.info.Levels[g.level], g.ids))
	grid := g.shape.pieces(pixelBytes(&g.info, len(g.bands)))
	pieces := grid.Covering(under)
	return runParallel(ctx, len(pieces), g.breadth.pieces(), func(ctx context.Context, i int) error {
		return g.halvePiece(ctx, grid.Block(pieces[i]).Intersect(under))
	})
}

// halvePiece reads and halves a piece of the stored level.
func (g *groupBuilder) halvePiece(ctx context.Context, piece raster.Rect) error {
	empty, err := raster.IsEmpty(ctx, g.stored, g.native-1, piece)
	if err != nil {
		return err
	}
	if empty {
		g.put(raster.Tile{}, piece)
		return nil
	}
	if g.cacheFrom >= g.native {
		ctx = blockcache.Bypass(ctx)
	}
	stored := g.shape.stored
	ids := stored.Covering(piece)
	tiles, err := g.stored.Blocks(raster.InBulk(ctx), g.native-1, ids, g.info.NilIfAll(g.bands))
	if err != nil {
		return err
	}
	if halvesEach(stored, ids, piece) {
		for i, tile := range tiles {
			g.put(tile, stored.Block(ids[i]))
		}
	} else {
		g.assemble(tiles, ids, piece)
	}
	if g.done != nil {
		g.done(int64(piece.Width()) * int64(piece.Height()))
	}
	return nil
}

// halvesEach reports whether the blocks of a piece can be halved one by one: they begin at even
// pixels, and lie completely in the piece.
func halvesEach(l raster.Level, ids []raster.BlockID, piece raster.Rect) bool {
	for _, id := range ids {
		r := l.Block(id)
		if r.X0%2 != 0 || r.Y0%2 != 0 || r.Intersect(piece) != r {
			return false
		}
	}
	return true
}

// assemble stitches the blocks of a piece together and halves the result.
func (g *groupBuilder) assemble(tiles []raster.Tile, ids []raster.BlockID, piece raster.Rect) {
	pooled := g.windows.Get(raster.BufferBytes(g.info.Type, piece.Width(), piece.Height(), len(g.bands)))
	defer g.windows.Put(pooled)
	c := raster.NewStitcherIn(pooled, g.info.Type, piece, len(g.bands))
	for i, tile := range tiles {
		c.Put(tile, g.shape.stored.Block(ids[i]))
	}
	g.put(c.Freeze(), piece)
}

// put halves pixels of the finer level and copies them to the targets. The zero Tile means no
// pixels.
func (g *groupBuilder) put(tile raster.Tile, at raster.Rect) {
	rect := raster.Rect{X0: at.X0 / 2, Y0: at.Y0 / 2, X1: (at.X1 + 1) / 2, Y1: (at.Y1 + 1) / 2}
	halved, samples := g.half(tile), g.samplesIn(tile)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.madeOf = joinSamples(g.madeOf, samples)
	for _, target := range g.targets {
		if halved.IsZero() {
			target.LeaveOut(rect)
		} else {
			target.Put(halved, rect)
		}
	}
}

func (g *groupBuilder) half(tile raster.Tile) raster.Tile {
	switch {
	case tile.IsZero():
		return tile
	case g.alpha >= 0:
		return resample.HalveByAlpha(tile, g.alpha, g.picks)
	default:
		return resample.Halve(tile, g.picks)
	}
}
