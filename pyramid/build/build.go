// Package build makes all levels of an image from its full size, in one pass within a bounded memory.
// Commands that write files with overviews call it. It owns the order in which blocks are made, and what
// becomes of pixels that cannot be read. It knows providers and blocks. It must never know file formats,
// coordinate systems, or where blocks go.
//
// A block of level 0 is a view of a stream. Its half is put into the block of the level above that
// covers it. Who puts the last half into a block passes that on in the same way. So only blocks that
// lack halves are in memory, and every pixel is the same whatever the number of workers.
package build

import (
	"context"
	"errors"
	"fmt"

	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/stream"
)

// Config says what to make of which image.
type Config struct {
	Source raster.Provider // whose level 0 is read

	// Levels are those to make: the full size, and then halves, each rounded up. All have blocks of one size,
	// whose sides are even.
	Levels []raster.Level

	// Nearest picks one of four pixels, and not their mean.
	Nearest bool

	Workers int   // blocks that are made at a time
	Memory  int64 // bytes for all blocks of which something is in memory

	// IsDamage reports whether an error means that pixels are lost for good. They are left without coverage
	// then, and so the image goes on. Nil means that every error ends it. Pixels that are damaged in part are
	// kept if it is set, and end it if not.
	IsDamage func(error) bool

	// Put takes a block. Several are put at a time, each once. It must not keep the tile.
	Put func(level int, id raster.BlockID, tile raster.Tile) error

	Progress *Progress // may be nil
}

// ErrLevels means that levels are not halves, or that there are no halves of their samples.
var ErrLevels = errors.New("the levels cannot be made")

// Run makes all blocks of all levels. It returns what of the source was lost. If that is everything, it fails.
func Run(ctx context.Context, c Config) (Lost, error) {
	if err := c.check(); err != nil {
		return Lost{}, err
	}
	b := &builder{Config: &c, info: c.Source.Info(), lost: lostBlocks{seen: make(map[raster.BlockID]bool)}}
	b.alpha = b.info.Alpha()
	b.picks = b.picksOf()
	b.open = make([]openBlocks, len(c.Levels))
	views, err := b.views()
	if err != nil {
		return Lost{}, err
	}
	c.Progress.begin(int64(views.Len()))
	if err := views.Each(raster.InBulk(ctx), b.make); err != nil {
		return Lost{}, err
	}
	return b.lost.report()
}

// check returns an error unless each level is half of the one before.
func (c *Config) check() error {
	first := c.Source.Info().Levels[0]
	if len(c.Levels) == 0 || c.Levels[0].Width != first.Width || c.Levels[0].Height != first.Height {
		return fmt.Errorf("%w: the first one is not the full image", ErrLevels)
	}
	for i, l := range c.Levels {
		if l.BlockWidth != c.Levels[0].BlockWidth || l.BlockHeight != c.Levels[0].BlockHeight || l.BlockWidth%2+l.BlockHeight%2 > 0 {
			return fmt.Errorf("%w: level %d has blocks of %dx%d", ErrLevels, i, l.BlockWidth, l.BlockHeight)
		}
		if i > 0 && (l.Width != (c.Levels[i-1].Width+1)/2 || l.Height != (c.Levels[i-1].Height+1)/2) {
			return fmt.Errorf("%w: level %d is not half of the one before", ErrLevels, i)
		}
	}
	if len(c.Levels) > 1 && c.Source.Info().Type.IsComplex() {
		return fmt.Errorf("%w: complex samples have no overviews", ErrLevels)
	}
	return nil
}

// A builder makes the blocks of one image.
type builder struct {
	*Config
	info  *raster.Info
	alpha int    // the band that is an opacity, or -1
	picks []bool // whether a pixel is picked, for each band
	open  []openBlocks
	lost  lostBlocks
}

func (b *builder) picksOf() []bool {
	picks := make([]bool, len(b.info.Bands))
	for band := range picks {
		picks[band] = b.Nearest
	}
	return picks
}

// make makes a block of level 0, and all above it that it completes.
func (b *builder) make(ctx context.Context, v *stream.View) error {
	tile, err := b.tileOf(ctx, v)
	if err != nil {
		return err
	}
	b.lost.noteData(tile)
	id := raster.BlockID{Col: v.Position.Column, Row: v.Position.Row}
	for level := 0; ; level++ {
		if err := b.Put(level, id, tile); err != nil {
			return err
		}
		if level == len(b.Levels)-1 {
			break
		}
		above := raster.BlockID{Col: id.Col / 2, Row: id.Row / 2}
		whole, isComplete := b.openBlock(level+1, above).put(b.halve(tile), b.Levels[level].Block(id))
		if !isComplete {
			break
		}
		b.open[level+1].remove(above)
		id, tile = above, whole
	}
	b.Progress.add(1)
	return nil
}

// halve returns the half of a tile. Colors that are not multiplied by their opacity are weighed by it.
func (b *builder) halve(tile raster.Tile) raster.Tile {
	if b.alpha >= 0 && !b.info.Premultiplied {
		return resample.HalveByAlpha(tile, b.alpha, b.picks)
	}
	return resample.Halve(tile, b.picks)
}
