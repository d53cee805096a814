package statistics

import (
	"context"
	"fmt"
	"iter"

	"tileserver/raster"
	"tileserver/raster/stream"
)

const (
	// minLevelPixels is the number of pixels that makes a level representative of finer ones.
	minLevelPixels = 1 << 20
	// maxOverviewPixels bounds a level that pictures of the whole are drawn from. Files with overviews
	// have one that is representative and smaller.
	maxOverviewPixels = 4 * minLevelPixels
	// DefaultMaxPixels limits the pixels read from a level.
	DefaultMaxPixels = 16 << 20
	// maxAheadBytes limits the blocks that are read ahead. They keep all workers busy.
	maxAheadBytes = 8 << 20
	// maxCachedBytes is the largest sample that stays in memory between passes.
	maxCachedBytes = 64 << 20
)

// A sample is the set of blocks that statistics are computed from. It depends only on the levels of
// the dataset and their block grids, so that every process reads the same pixels.
type sample struct {
	provider raster.Provider
	bands    []int
	level    int
	blocks   []raster.BlockID
	inBulk   bool // whether pictures hardly need the pixels of the level again

	caches bool          // whether to cache tiles for the next pass
	cached []raster.Tile // all tiles, after a pass
}

func newSample(p raster.Provider, bands []int, passes int, maxPixels int64) *sample {
	level := sampleLevel(p.Info().Levels)
	l := p.Info().Levels[level]
	s := &sample{provider: p, bands: bands, level: level, blocks: spreadBlocks(l, maxPixels)}
	s.inBulk = int64(l.Width)*int64(l.Height) > maxOverviewPixels
	s.caches = passes > 1 && s.blockBytes()*int64(len(s.blocks)) <= maxCachedBytes
	return s
}

// blockBytes returns the size of the samples of a block.
func (s *sample) blockBytes() int64 {
	info := s.provider.Info()
	l := info.Levels[s.level]
	return raster.BufferBytes(info.Type, l.BlockWidth, l.BlockHeight, len(s.bands))
}

// sampleLevel returns the coarsest level with enough pixels, or the finest.
func sampleLevel(levels []raster.Level) int {
	for n := len(levels) - 1; n > 0; n-- {
		if int64(levels[n].Width)*int64(levels[n].Height) >= minLevelPixels {
			return n
		}
	}
	return 0
}

// spreadBlocks returns all blocks of a level. If the level has more than maxPixels, it returns
// about as many pixels in whole blocks, at the centers of the cells of a grid that is about equally
// dense in both directions. The grid has odd numbers of columns and rows, so that it includes the
// center of the image.
func spreadBlocks(l raster.Level, maxPixels int64) []raster.BlockID {
	if int64(l.Width)*int64(l.Height) <= maxPixels {
		return l.Covering(l.Bounds())
	}
	columns, rows := sampleGrid(l, maxPixels/(int64(l.BlockWidth)*int64(l.BlockHeight)))
	blocks := make([]raster.BlockID, 0, columns*rows)
	for row := range rows {
		for column := range columns {
			blocks = append(blocks, raster.BlockID{
				Col: (2*column + 1) * l.Columns() / (2 * columns),
				Row: (2*row + 1) * l.Rows() / (2 * rows),
			})
		}
	}
	return blocks
}

// sampleGrid returns the odd numbers of columns and rows of a grid with at most maxBlocks cells. It
// grows the grid in the sparser direction as long as possible.
func sampleGrid(l raster.Level, maxBlocks int64) (columns, rows int) {
	columns, rows = 1, 1
	for {
		wider := columns+2 <= l.Columns() && int64(columns+2)*int64(rows) <= maxBlocks
		higher := rows+2 <= l.Rows() && int64(columns)*int64(rows+2) <= maxBlocks
		sparserAcross := int64(l.Width)*int64(rows) >= int64(l.Height)*int64(columns)
		switch {
		case wider && (sparserAcross || !higher):
			columns += 2
		case higher:
			rows += 2
		default:
			return columns, rows
		}
	}
}

// each calls visit for the tiles of the sample, always in the same order, with the fraction that is
// complete after the tile. It reads the next tiles meanwhile.
func (s *sample) each(ctx context.Context, visit func(t raster.Tile, part float64)) error {
	if len(s.cached) == len(s.blocks) {
		for i, t := range s.cached {
			if err := ctx.Err(); err != nil {
				return err
			}
			visit(t, float64(i+1)/float64(len(s.blocks)))
		}
		return nil
	}
	if err := s.read(ctx, visit); err != nil {
		return fmt.Errorf("statistics of level %d: %w", s.level, err)
	}
	return nil
}

// read calls visit for the tiles of the sample, which it reads.
func (s *sample) read(ctx context.Context, visit func(t raster.Tile, part float64)) error {
	l := s.provider.Info().Levels[s.level]
	blocks, err := stream.New(s.provider, stream.Config{
		Level: s.level, Bands: s.bands, Width: l.BlockWidth, Height: l.BlockHeight, Order: s.order,
		MaxViews: int(max(1, maxAheadBytes/max(s.blockBytes(), 1))),
	})
	if err != nil {
		return err
	}
	if s.inBulk {
		ctx = raster.InBulk(ctx)
	}
	return blocks.InOrder(ctx, func(_ context.Context, v *stream.View) error {
		parts, err := v.Parts()
		if err != nil {
			return err
		}
		t := parts[0].Tile
		if !parts[0].IsStored() {
			t = s.noPixels(v.Rect)
		}
		if s.caches {
			s.cached = append(s.cached, t)
		}
		visit(t, float64(v.Rank+1)/float64(blocks.Len()))
		return nil
	})
}

// order lists the blocks of the sample.
func (s *sample) order(int, int) iter.Seq[stream.Position] {
	return func(yield func(stream.Position) bool) {
		for _, id := range s.blocks {
			if !yield(stream.Position{Column: id.Col, Row: id.Row}) {
				return
			}
		}
	}
}

// noPixels returns a block of which no pixel is stored.
func (s *sample) noPixels(rect raster.Rect) raster.Tile {
	b := raster.NewBuffer(s.provider.Info().Type, rect.Width(), rect.Height(), len(s.bands))
	b.SetValidity(make([]uint8, rect.Width()*rect.Height()))
	return b.Freeze()
}
