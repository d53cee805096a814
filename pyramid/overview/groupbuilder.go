package overview

import (
	"context"
	"slices"
	"sync"

	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/stream"
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
	piece, atATime := g.shape.pieces(pixelBytes(&g.info, len(g.bands))), g.breadth.pieces()
	pieces, err := stream.New(g.stored, stream.Config{
		Level: g.native - 1, Bands: g.info.NilIfAll(g.bands), Area: g.under(g.level, boundsOfBlocks(g.info.Levels[g.level], g.ids)),
		Width: piece.BlockWidth, Height: piece.BlockHeight, Parallel: atATime, MaxViews: atATime, Memory: &g.windows,
	})
	if err != nil {
		return err
	}
	if g.cacheFrom >= g.native {
		ctx = blockcache.Bypass(ctx)
	}
	return pieces.Each(raster.InBulk(ctx), g.halvePiece)
}

// halvePiece halves a piece of the stored level.
func (g *groupBuilder) halvePiece(_ context.Context, piece *stream.View) error {
	parts, err := piece.Parts()
	if err != nil {
		return err
	}
	switch {
	case !slices.ContainsFunc(parts, stream.Part.IsStored):
		parts = []stream.Part{{Rect: piece.Rect}}
	case !halvesEach(parts, piece.Rect):
		tile, err := piece.Tile()
		if err != nil {
			return err
		}
		parts = []stream.Part{{Rect: piece.Rect, Tile: tile}}
	}
	for _, part := range parts {
		g.put(part.Tile, part.Rect)
	}
	if g.done != nil {
		g.done(int64(piece.Rect.Width()) * int64(piece.Rect.Height()))
	}
	return nil
}

// halvesEach reports whether the blocks of a piece can be halved one by one: they begin at even
// pixels, and lie completely in the piece.
func halvesEach(parts []stream.Part, piece raster.Rect) bool {
	for _, part := range parts {
		r := part.Rect
		if r.X0%2 != 0 || r.Y0%2 != 0 || r.Intersect(piece) != r {
			return false
		}
	}
	return true
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
