package overview

import (
	"context"
	"fmt"
	"slices"

	"tileserver/raster"
	"tileserver/raster/blockcache"
)

// Config configures the levels that a Provider builds.
type Config struct {
	BlockSize int // approximate block side of built levels; 0 means defaultBlockSize

	// MinSize ends the pyramid: the coarsest level is the first whose longer side is at most
	// MinSize. 0 means defaultMinSize.
	MinSize int

	// Pick picks one of the four pixels instead of computing their mean. It is for classes: the
	// mean of class 1 and class 5 is not class 3.
	Pick bool

	// Stored is the provider that levels are built from, if the file's own blocks differ from those
	// of the source. Its pixels are the same. Nil means the source.
	Stored raster.Provider

	// MaxBytes limits the stored bytes that one call of Blocks may decode to build blocks of a band
	// set. A call over the limit gets a TooExpensiveError and needs Build. 0 means no limit.
	MaxBytes int64

	// Pieces returns how many pieces a call reads at a time, if there is memory for them: one for each worker
	// that decodes, or many while a device decodes their blocks together. Nil means one for each processor.
	Pieces func() int

	// IntermediateBytes limits how much one call caches of the finer blocks that it built or read
	// on the way. Caching all of them would evict blocks that are needed more often.
	IntermediateBytes int64

	// Coarse caches the coarsest levels, as many as fit in CoarseBytes: they are small, and cost
	// most to build. Nil caches them with all other blocks.
	Coarse      *blockcache.Space
	CoarseBytes int64

	// Saved keeps the blocks that Build builds. Nil keeps them in memory only.
	Saved Saved

	// TellsSamples makes blocks know of which stored samples they were made.
	TellsSamples bool

	// Unmasked has the overviews of the image without the mask of Masked, a value that the source
	// masks. It tells samples. Its blocks serve here where nothing was masked, and its levels are built
	// first. Nil means that the source masks no such value, or that nobody else needs those overviews.
	Unmasked *Provider
	Masked   float64
}

const (
	defaultBlockSize = 512
	defaultMinSize   = 512
)

// Provider is a wrapper that adds coarser levels to a provider that has too few. Each level is half of the
// previous one, built on request and cached while there is room. A pixel is the mean, weighted by
// coverage, of the 2x2 pixels that it covers exactly, so levels are not shifted against each other.
// For classes, it is the upper left valid one of the four.
type Provider struct {
	raster.Wrapper // of the source
	stored         raster.Provider
	blocks         *blockcache.Space
	config         Config
	key            string
	bandSets       [][]int
	info           raster.Info
	native         int  // number of levels of the source
	pick           bool // applies to all bands
	shape          shape
	windows        raster.MemoryPool
}

// New returns source with more levels, whose blocks are cached in blocks. Blocks of the
// source's own levels are passed through.
func New(source raster.Provider, blocks *blockcache.Space, config Config) *Provider {
	if config.BlockSize <= 0 {
		config.BlockSize = defaultBlockSize
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
	p := &Provider{Wrapper: raster.Over(source), stored: config.Stored, blocks: blocks, config: config}
	p.info, p.native = *source.Info(), len(source.Info().Levels)
	p.key = fmt.Sprintf("%s:downsampled:%d:%d", source.Key(), config.BlockSize, config.MinSize)
	if p.pick = config.Pick || p.info.HasPalette(); config.Pick {
		p.key += ":pick"
	}
	p.shape = newShape(p.stored.Info(), config.BlockSize)
	p.bandSets = bandSetsOf(&p.info)
	p.info.Levels = slices.Clone(p.info.Levels)
	for {
		last := p.info.Levels[len(p.info.Levels)-1]
		if max(last.Width, last.Height) <= config.MinSize {
			return p
		}
		p.info.Levels = append(p.info.Levels, p.shape.level(last, len(p.info.Levels)-p.native+1))
	}
}

// Key returns the key of the source with the parameters of the built levels. Without built levels
// the pixels equal those of the source, and so does the key.
func (p *Provider) Key() string {
	if p.native == len(p.info.Levels) {
		return p.Wrapper.Key()
	}
	return p.key
}

// Info returns the info of the source with more levels.
func (p *Provider) Info() *raster.Info { return &p.info }

// Blocks passes through blocks of the source's levels and builds the others, unless that is too
// expensive.
func (p *Provider) Blocks(ctx context.Context, level int, ids []raster.BlockID, bands []int) ([]raster.Tile, error) {
	if level >= 0 && level < p.native {
		return p.Wrapper.Blocks(ctx, level, ids, bands)
	}
	if err := p.info.CheckRequest(level, ids, bands); err != nil {
		return nil, err
	}
	if bands == nil {
		bands = p.info.AllBands()
	}
	sets := p.setsOf(bands)
	built := make([][]raster.Tile, len(sets))
	for i, set := range sets {
		var err error
		if built[i], err = p.newBuilder(level, set).requested(ctx, level, ids); err != nil {
			return nil, err
		}
	}
	return selectBands(built, sets, bands), nil
}

// requested returns blocks for a request, which may build them unless that is too expensive.
func (m *blockBuilder) requested(ctx context.Context, level int, ids []raster.BlockID) ([]raster.Tile, error) {
	tiles, missing, err := m.cached(ctx, level, ids)
	if err != nil {
		return nil, err
	}
	if missing, err = m.takeUnmasked(ctx, level, ids, tiles, missing); err != nil {
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
	}
	return tiles, nil
}

// IsCached reports which of the given blocks are in memory.
func (p *Provider) IsCached(level int, ids []raster.BlockID, bands []int) []bool {
	if level < p.native {
		return p.Wrapper.IsCached(level, ids, bands)
	}
	return p.inAllSets(level, ids, bands, (*blockBuilder).areCached)
}

// IsBuilt reports which of the given blocks of a built level need not be built: they are in memory, or
// saved.
func (p *Provider) IsBuilt(level int, ids []raster.BlockID, bands []int) []bool {
	return p.inAllSets(level, ids, bands, (*blockBuilder).areBuilt)
}

// SavedOnly returns those of the given blocks of a built level for which saved ones are loaded: they are
// not in memory, but saved, maybe without the mask.
func (p *Provider) SavedOnly(level int, ids []raster.BlockID, bands []int) []raster.BlockID {
	if bands == nil {
		bands = p.info.AllBands()
	}
	are := make([]bool, len(ids))
	for _, set := range p.setsOf(bands) {
		for i, is := range p.newBuilder(level, set).areSavedOnly(level, ids) {
			are[i] = are[i] || is
		}
	}
	return filter(ids, are, true)
}

// inAllSets reports which blocks of a built level are something in all band sets that have the bands.
func (p *Provider) inAllSets(level int, ids []raster.BlockID, bands []int, are func(*blockBuilder, int, []raster.BlockID) []bool) []bool {
	if bands == nil {
		bands = p.info.AllBands()
	}
	all := slices.Repeat([]bool{true}, len(ids))
	for _, set := range p.setsOf(bands) {
		for i, is := range are(p.newBuilder(level, set), level, ids) {
			all[i] = all[i] && is
		}
	}
	return all
}

// spaceOf returns the space that caches the blocks of a built level.
func (p *Provider) spaceOf(level, bands int) *blockcache.Space {
	if level >= p.firstCoarse(bands) {
		return p.config.Coarse
	}
	return p.blocks
}

// firstCoarse returns the finest level that is cached as a whole, with all coarser ones, in
// config.Coarse.
func (p *Provider) firstCoarse(bands int) int {
	first, bytes := len(p.info.Levels), int64(0)
	for ; first > p.native; first-- {
		l := p.info.Levels[first-1]
		bytes += int64(l.Width) * int64(l.Height) * pixelBytes(&p.info, bands)
		if bytes > p.config.CoarseBytes {
			break
		}
	}
	return first
}

// withAlpha adds the opacity band to a band set if colors must be weighed by it, since a transparent
// pixel may have any color. alpha is its index in all, or -1.
func (p *Provider) withAlpha(bands []int) (all []int, alpha int) {
	band := p.info.Alpha()
	if band < 0 || p.pick || p.info.Premultiplied || len(bands) == 1 && bands[0] == band {
		return bands, -1
	}
	if at := slices.Index(bands, band); at >= 0 {
		return bands, at
	}
	return append(slices.Clone(bands), band), len(bands)
}

// picks reports for each band whether pixels are picked rather than averaged.
func (p *Provider) picks(bands []int) []bool {
	picks := make([]bool, len(bands))
	for i := range bands {
		picks[i] = p.pick || p.info.IsClassified(bands[i:i+1])
	}
	return picks
}

// Empty tests a built level on the coarsest stored level under it.
func (p *Provider) Empty(ctx context.Context, level int, rect raster.Rect) (bool, error) {
	if level < p.native {
		return p.Wrapper.Empty(ctx, level, rect)
	}
	if err := p.info.CheckRequest(level, nil, nil); err != nil {
		return false, err
	}
	return raster.IsEmpty(ctx, p.stored, p.native-1, p.under(level, rect))
}

// under returns the rectangle of the coarsest stored level that a rectangle of a built level is
// built from.
func (p *Provider) under(level int, rect raster.Rect) raster.Rect {
	halvings := level - p.native + 1
	rect = rect.Intersect(p.info.Levels[level].Bounds())
	return raster.Rect{
		X0: rect.X0 << halvings, Y0: rect.Y0 << halvings, X1: rect.X1 << halvings, Y1: rect.Y1 << halvings,
	}.Intersect(p.shape.stored.Bounds())
}

// HasWindows asks the source for its own levels. Built levels have no windows.
func (p *Provider) HasWindows(level int) bool { return level < p.native && p.Wrapper.HasWindows(level) }

// StoredPicture asks the source for its own levels. Built levels are not stored.
func (p *Provider) StoredPicture(ctx context.Context, level int, rect raster.Rect) (raster.StoredPicture, bool, error) {
	if level >= p.native {
		return raster.StoredPicture{}, false, nil
	}
	return p.Wrapper.StoredPicture(ctx, level, rect)
}
