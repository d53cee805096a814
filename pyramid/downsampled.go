package pyramid

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
	"tileserver/raster/blockcache"
)

// DownsampledConfig configures the levels that a Downsampled builds.
type DownsampledConfig struct {
	BlockSize int // approximate block side of built levels; 0 means defaultOverviewBlockSize

	// MinSize ends the pyramid: the coarsest level is the first whose longer side is at most
	// MinSize. 0 means defaultMinSize.
	MinSize int

	// Pick picks one of the four pixels instead of computing their mean. It is for classes: the
	// mean of class 1 and class 5 is not class 3.
	Pick bool

	// Stored is the provider that levels are built from, if the file's own blocks differ from those
	// of the source. Its pixels are the same. Nil means the source.
	Stored raster.Provider

	// MaxBytes limits the stored bytes that one call of Blocks may decode to build blocks. A call
	// over the limit gets a TooExpensiveError and needs Build. 0 means no limit.
	MaxBytes int64

	// IntermediateBytes limits the caching of finer blocks that were built, or read, on the way to
	// a block. More would evict better things.
	IntermediateBytes int64

	// Coarse caches the coarsest levels, as many as fit in CoarseBytes: they are small, and cost
	// most to build. Nil caches them with all other blocks.
	Coarse      *blockcache.Space
	CoarseBytes int64
}

const (
	defaultOverviewBlockSize = 512
	defaultMinSize           = 512
)

// Downsampled adds coarser levels to a provider that has too few. Each level is half of the
// previous one, built on request and cached while there is room. A pixel is the mean, weighted by
// coverage, of the 2x2 pixels that it covers exactly, so levels are not shifted against each other.
// For classes, it is the upper left valid one of the four.
type Downsampled struct {
	source, stored raster.Provider
	blocks         *blockcache.Space
	config         DownsampledConfig
	key            string
	info           raster.Info
	native         int  // number of levels of the source
	pick           bool // applies to all bands
	shape          overviewShape
	windows        raster.MemoryPool
}

var _ raster.SparseProvider = (*Downsampled)(nil)

// NewDownsampled returns source with more levels, whose blocks are cached in blocks. Blocks of the
// source's own levels are passed through.
func NewDownsampled(source raster.Provider, blocks *blockcache.Space, config DownsampledConfig) *Downsampled {
	if config.BlockSize <= 0 {
		config.BlockSize = defaultOverviewBlockSize
	}
	if config.MinSize <= 0 {
		config.MinSize = defaultMinSize
	}
	if config.Stored == nil {
		config.Stored = source
	}
	if config.Coarse == nil {
		config.Coarse, config.CoarseBytes = blocks, 0
	}
	d := &Downsampled{source: source, stored: config.Stored, blocks: blocks, config: config}
	d.info, d.native = *source.Info(), len(source.Info().Levels)
	d.key = fmt.Sprintf("%s:downsampled:%d:%d", source.Key(), config.BlockSize, config.MinSize)
	if d.pick = config.Pick || d.info.HasPalette(); config.Pick {
		d.key += ":pick"
	}
	d.shape = newOverviewShape(d.stored.Info(), config.BlockSize)
	d.info.Levels = slices.Clone(d.info.Levels)
	for {
		last := d.info.Levels[len(d.info.Levels)-1]
		if max(last.Width, last.Height) <= config.MinSize {
			return d
		}
		d.info.Levels = append(d.info.Levels, d.shape.level(last, len(d.info.Levels)-d.native+1))
	}
}

// Key returns the key of the source with the parameters of the built levels. Without built levels
// the pixels equal those of the source, and so does the key.
func (d *Downsampled) Key() string {
	if d.native == len(d.info.Levels) {
		return d.source.Key()
	}
	return d.key
}

// Info returns the info of the source with more levels.
func (d *Downsampled) Info() *raster.Info { return &d.info }

// Blocks passes through blocks of the source's levels and builds the others, unless that is too
// expensive.
func (d *Downsampled) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if level >= 0 && level < d.native {
		return d.source.Blocks(ctx, level, ids, bands)
	}
	if err := d.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	m := d.newBuilder(level, bands)
	tiles, missing, err := m.cached(ctx, level, ids)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		if err := m.checkCost(ctx, level, ids); err != nil {
			return nil, err
		}
		if err := m.buildMissing(ctx, level, ids, tiles, missing); err != nil {
			return nil, err
		}
	}
	for i := range tiles {
		if tiles[i].IsZero() {
			tiles[i] = m.noPixels(level, ids[i])
		}
		if m.requested < len(m.bands) {
			tiles[i] = firstBands(tiles[i], m.requested)
		}
	}
	return tiles, nil
}

// firstBands returns a copy of the first bands of a tile.
func firstBands(t raster.Tile, count int) raster.Tile {
	b := raster.NewBuffer(t.Type(), t.Width(), t.Height(), count)
	b.InheritDamage(t)
	validity := make([][]uint8, count)
	for band := range count {
		copy(b.Plane(band), t.Plane(band))
		validity[band] = t.Validity(band)
	}
	return b.Freeze().WithBandValidity(validity)
}

// IsCached reports which of the given blocks are cached now.
func (d *Downsampled) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	if level < d.native {
		return raster.IsCached(d.source, level, ids, bands)
	}
	m := d.newBuilder(level, bands)
	return d.spaceOf(level, len(m.bands)).Contains(m.keys(level, ids))
}

// spaceOf returns the space that caches the blocks of a built level.
func (d *Downsampled) spaceOf(level, bands int) *blockcache.Space {
	if level >= d.firstCoarse(bands) {
		return d.config.Coarse
	}
	return d.blocks
}

// firstCoarse returns the finest level that is cached as a whole, with all coarser ones, in
// config.Coarse.
func (d *Downsampled) firstCoarse(bands int) int {
	first, bytes := len(d.info.Levels), int64(0)
	for ; first > d.native; first-- {
		l := d.info.Levels[first-1]
		bytes += int64(l.Width) * int64(l.Height) * pixelBytes(&d.info, bands)
		if bytes > d.config.CoarseBytes {
			break
		}
	}
	return first
}

// withAlpha adds the opacity band to the requested bands if colors must be weighed by it, since a
// transparent pixel may have any color. alpha is its index in all, or -1.
func (d *Downsampled) withAlpha(bands []int) (all []int, alpha int) {
	if bands == nil {
		bands = d.info.AllBands()
	}
	band := d.info.Alpha()
	if band < 0 || d.pick || d.info.Premultiplied || len(bands) == 1 && bands[0] == band {
		return bands, -1
	}
	if at := slices.Index(bands, band); at >= 0 {
		return bands, at
	}
	return append(slices.Clone(bands), band), len(bands)
}

// picks reports for each band whether pixels are picked rather than averaged.
func (d *Downsampled) picks(bands []int) []bool {
	picks := make([]bool, len(bands))
	for i := range bands {
		picks[i] = d.pick || d.info.IsClassified(bands[i:i+1])
	}
	return picks
}

// Empty tests a built level on the coarsest stored level under it.
func (d *Downsampled) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if level < d.native {
		return raster.IsEmpty(ctx, d.source, level, rect)
	}
	if err := d.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return raster.IsEmpty(ctx, d.stored, d.native-1, d.under(level, rect))
}

// under returns the rectangle of the coarsest stored level that a rectangle of a built level is
// built from.
func (d *Downsampled) under(level int, rect raster.Rect) raster.Rect {
	halvings := level - d.native + 1
	rect = rect.Intersect(d.info.Levels[level].Bounds())
	return raster.Rect{
		X0: rect.X0 << halvings, Y0: rect.Y0 << halvings, X1: rect.X1 << halvings, Y1: rect.Y1 << halvings,
	}.Intersect(d.shape.stored.Bounds())
}

// HasWindows delegates to the source for its own levels. Built levels have no windows.
func (d *Downsampled) HasWindows(level int) bool {
	return level < d.native && raster.HasWindows(d.source, level)
}

// Window delegates to the source.
func (d *Downsampled) Window(ctx context.Context, level int, rect raster.Rect, bands []int) (raster.Tile, error) {
	return raster.ReadWindow(ctx, d.source, level, rect, bands)
}
