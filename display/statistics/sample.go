package statistics

import (
	"context"
	"fmt"

	"tileserver/raster"
)

const (
	// minLevelPixels is the number of pixels that makes a level representative of finer ones.
	minLevelPixels = 1 << 20
	// maxOverviewPixels bounds a level that pictures of the whole are drawn from. Files with overviews
	// have one that is representative and smaller.
	maxOverviewPixels = 4 * minLevelPixels
	// DefaultMaxPixels limits the pixels read from a level.
	DefaultMaxPixels = 16 << 20
	// maxBatchBytes limits a batch of blocks. A batch keeps all workers busy and is small
	// enough for frequent progress.
	maxBatchBytes = 8 << 20
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
	cached []raster.Tile // the first tiles
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
// complete after the tile.
func (s *sample) each(ctx context.Context, visit func(t raster.Tile, part float64)) error {
	batch := int(min(max(1, maxBatchBytes/max(s.blockBytes(), 1)), int64(len(s.blocks))))
	for at := 0; at < len(s.blocks); at += batch {
		tiles, err := s.tiles(ctx, at, min(at+batch, len(s.blocks)))
		if err != nil {
			return err
		}
		for i, t := range tiles {
			if err := ctx.Err(); err != nil {
				return err
			}
			visit(t, float64(at+i+1)/float64(len(s.blocks)))
		}
	}
	return nil
}

// tiles returns the tiles of blocks from to to, from memory where possible.
func (s *sample) tiles(ctx context.Context, from, to int) ([]raster.Tile, error) {
	if len(s.cached) >= to {
		return s.cached[from:to], nil
	}
	if s.inBulk {
		ctx = raster.InBulk(ctx)
	}
	tiles, err := s.provider.Blocks(ctx, s.level, s.blocks[from:to], s.bands)
	if err != nil {
		return nil, fmt.Errorf("statistics of level %d: %w", s.level, err)
	}
	if len(tiles) != to-from {
		return nil, fmt.Errorf("statistics of level %d: %d tiles for %d blocks", s.level, len(tiles), to-from)
	}
	if s.caches {
		s.cached = append(s.cached, tiles...)
	}
	return tiles, nil
}
