package pyramid

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
)

// DownsampledConfig says what levels a Downsampled makes.
type DownsampledConfig struct {
	BlockSize int // of the made levels; defaultMadeBlockSize where 0

	// MinSize ends the making: the coarsest level is the first whose longer side
	// is no longer than that. 512 where 0.
	MinSize int

	// Pick makes a pixel one of those that it covers, for samples that are names
	// and not amounts: between class 1 and class 5 there is no class 3.
	Pick bool
}

const (
	defaultMadeBlockSize = 512
	defaultMinSize       = 512
)

// Downsampled adds coarser levels to a provider whose own end too early. Each is
// half of the one before, made when it is asked for and kept as long as the
// cache has room. A pixel is the mean, by coverage, of the 2x2 pixels that it
// covers exactly, so that no level is shifted against another; where samples are
// numbers of palette colours, it is the upper left of those that are valid.
type Downsampled struct {
	source raster.Provider
	blocks *Blocks
	key    string
	info   raster.Info
	native int // levels of the source
	pick   bool
}

var _ raster.Provider = (*Downsampled)(nil)

// NewDownsampled returns source with more levels, whose blocks are kept in blocks.
// Blocks of the source's own levels are passed through.
func NewDownsampled(source raster.Provider, blocks *Blocks, config DownsampledConfig) *Downsampled {
	if config.BlockSize <= 0 {
		config.BlockSize = defaultMadeBlockSize
	}
	if config.MinSize <= 0 {
		config.MinSize = defaultMinSize
	}
	d := &Downsampled{source: source, blocks: blocks, info: *source.Info(), native: len(source.Info().Levels)}
	d.key = fmt.Sprintf("%s:downsampled:%d:%d", source.Key(), config.BlockSize, config.MinSize)
	if d.pick = config.Pick || hasPalette(d.info.Bands); config.Pick {
		d.key += ":pick"
	}
	d.info.Levels = slices.Clone(d.info.Levels)
	for {
		last := d.info.Levels[len(d.info.Levels)-1]
		if max(last.Width, last.Height) <= config.MinSize {
			return d
		}
		d.info.Levels = append(d.info.Levels, raster.Level{
			Width: (last.Width + 1) / 2, Height: (last.Height + 1) / 2,
			BlockWidth: config.BlockSize, BlockHeight: config.BlockSize,
			ScaleX: 2 * last.ScaleX, ScaleY: 2 * last.ScaleY,
		})
	}
}

// Key is the source's with the parameters of the made levels. Without made
// levels nothing differs from the source, and so the key does not either.
func (d *Downsampled) Key() string {
	if d.native == len(d.info.Levels) {
		return d.source.Key()
	}
	return d.key
}

// Info is the source's with more levels.
func (d *Downsampled) Info() *raster.Info { return &d.info }

// Blocks passes the source's levels through and makes the others.
func (d *Downsampled) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if level >= 0 && level < d.native {
		return d.source.Blocks(ctx, level, ids, bands)
	}
	if err := d.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	bands = allAsNil(bands, len(d.info.Bands))
	keys := blockKeys(d.Key(), level, ids, bands)
	return fetchBlocks(ctx, d.blocks, keys, func(ctx context.Context, missing []raster.BlockID) ([]raster.Tile, error) {
		// One after the other: each takes four blocks of the level above it, and
		// so on up, and what is in hand at a time must stay bounded.
		tiles := make([]raster.Tile, len(missing))
		for i, id := range missing {
			tile, err := d.makeBlock(ctx, level, id, bands)
			if err != nil {
				return nil, err
			}
			tiles[i] = tile
		}
		return tiles, nil
	})
}

// Kept tells which of the given blocks are in the cache now.
func (d *Downsampled) Kept(level int, ids []raster.BlockID, bands []int) []bool {
	if level < d.native {
		return keptBy(d.source, level, ids, bands)
	}
	return keptBlocks(d.blocks, blockKeys(d.Key(), level, ids, allAsNil(bands, len(d.info.Bands))))
}

// makeBlock halves what the finer level has under a block.
func (d *Downsampled) makeBlock(ctx context.Context, level int, id raster.BlockID, bands []int) (raster.Tile, error) {
	own, finer := d.info.Levels[level], d.info.Levels[level-1]
	rect := own.Block(id)
	under := raster.Rect{X0: 2 * rect.X0, Y0: 2 * rect.Y0, X1: 2 * rect.X1, Y1: 2 * rect.Y1}.Intersect(finer.Bounds())
	bands, alpha, kept := d.withAlpha(bands)
	c := newCanvas(&d.info, under, len(bands))
	needed := finer.Covering(under)
	tiles, err := d.Blocks(ctx, level-1, needed, bands)
	if err != nil {
		return raster.Tile{}, err
	}
	for i, tile := range tiles {
		c.put(tile, finer.Block(needed[i]))
	}
	if alpha >= 0 {
		return halveByAlpha(c.buffer.Freeze(), alpha, kept), nil
	}
	return halve(c.buffer.Freeze(), d.pick), nil
}

// withAlpha adds the band of opacity to those that are asked for, if colours are
// to be weighed by it: a transparent pixel may hold any colour. alpha is where it
// is, or -1; kept is how many of the bands were asked for.
func (d *Downsampled) withAlpha(bands []int) (all []int, alpha, kept int) {
	if bands == nil {
		bands = d.info.AllBands()
	}
	band := d.info.Alpha()
	if band < 0 || d.pick || d.info.Premultiplied || len(bands) == 1 && bands[0] == band {
		return bands, -1, len(bands)
	}
	if at := slices.Index(bands, band); at >= 0 {
		return bands, at, len(bands)
	}
	return append(slices.Clone(bands), band), len(bands), len(bands)
}

func hasPalette(bands []raster.Band) bool {
	return slices.ContainsFunc(bands, func(b raster.Band) bool { return b.Color == raster.PaletteIndex })
}
