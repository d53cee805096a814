package statistics

import (
	"context"
	"fmt"

	"tileserver/raster"
)

const (
	// enoughPixels is what a level must have to speak for the finer ones.
	enoughPixels = 1 << 20
	// DefaultMaxPixels is what is looked at of a level that has many more.
	DefaultMaxPixels = 16 << 20
	// maxBatchBytes is what is asked for at once: enough for all workers, and little enough to
	// tell how far it is.
	maxBatchBytes = 8 << 20
	// maxKeptBytes is how large a sample may be that is kept from one pass to the next.
	maxKeptBytes = 64 << 20
)

// sample is the blocks of a dataset that its statistics are taken of. It depends on nothing
// but the dataset's levels and their grids, so that every process that takes statistics
// takes them of the same pixels.
type sample struct {
	provider raster.Provider
	bands    []int
	level    int
	blocks   []raster.BlockID

	keeps bool          // tiles for the next pass
	kept  []raster.Tile // the first ones
}

func newSample(p raster.Provider, bands []int, passes int, maxPixels int64) *sample {
	level := sampleLevel(p.Info().Levels)
	s := &sample{provider: p, bands: bands, level: level, blocks: spread(p.Info().Levels[level], maxPixels)}
	s.keeps = passes > 1 && s.blockBytes()*int64(len(s.blocks)) <= maxKeptBytes
	return s
}

// blockBytes is what the samples of a block take.
func (s *sample) blockBytes() int64 {
	info := s.provider.Info()
	l := info.Levels[s.level]
	return raster.BufferBytes(info.Type, l.BlockWidth, l.BlockHeight, len(s.bands))
}

// sampleLevel is the coarsest level with enough pixels, or the finest.
func sampleLevel(levels []raster.Level) int {
	for n := len(levels) - 1; n > 0; n-- {
		if int64(levels[n].Width)*int64(levels[n].Height) >= enoughPixels {
			return n
		}
	}
	return 0
}

// spread is all blocks of a level; or, if it has more pixels than are looked at, as many
// whole blocks as have that many, at the middles of the cells of a lattice that is about as
// dense in both directions. It has odd numbers of columns and rows, so that the middle of
// the image is always seen.
func spread(l raster.Level, maxPixels int64) []raster.BlockID {
	if int64(l.Width)*int64(l.Height) <= maxPixels {
		return l.Covering(l.Bounds())
	}
	columns, rows := lattice(l, maxPixels/(int64(l.BlockWidth)*int64(l.BlockHeight)))
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

// lattice is the odd numbers of columns and rows of at most so many blocks, of the level's
// own grid. It grows in the direction in which it is less dense for as long as it can.
func lattice(l raster.Level, maxBlocks int64) (columns, rows int) {
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

// each visits the tiles of the sample, always in the same order, and tells which part of
// them that makes.
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

// tiles are the blocks from one to another, kept ones if there are.
func (s *sample) tiles(ctx context.Context, from, to int) ([]raster.Tile, error) {
	if len(s.kept) >= to {
		return s.kept[from:to], nil
	}
	tiles, err := s.provider.Blocks(ctx, s.level, s.blocks[from:to], s.bands)
	if err != nil {
		return nil, fmt.Errorf("statistics of level %d: %w", s.level, err)
	}
	if len(tiles) != to-from {
		return nil, fmt.Errorf("statistics of level %d: %d tiles for %d blocks", s.level, len(tiles), to-from)
	}
	if s.keeps {
		s.kept = append(s.kept, tiles...)
	}
	return tiles, nil
}
