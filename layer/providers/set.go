package providers

import (
	"slices"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/wrap"
)

// A Set holds what pictures, points and statistics of one version of a dataset read.
type Set struct {
	Pyramid *pyramid.Pyramid // all levels, georeferenced if the dataset is

	Converted raster.Provider // the input of all other providers; building it may take time

	// StoredLevels has only the levels of the file. Statistics read it: building overviews would
	// cost more than statistics are worth.
	StoredLevels raster.Provider

	Overviews *overview.Provider // builds the overviews that the file lacks

	IsRequested bool // whether only a request needs these overviews
}

// GridsKey returns the part of keys of pictures that says which grids of datum shifts may move the
// image. It is empty without grids.
func (s *Set) GridsKey() string {
	crs := s.Pyramid.CRS()
	if crs == nil || crs.GridsKey() == "" {
		return ""
	}
	return "\x00grids " + crs.GridsKey()
}

// Config configures the providers of all versions of a layer.
type Config struct {
	Caches    *Caches
	BlockSize int // side of virtual blocks; 0 keeps the blocks of the file

	// MaxInlineOverviewBytes is the maximum number of file bytes that one request may decode to
	// build overviews. There is no limit if it is not positive.
	MaxInlineOverviewBytes int64

	Pieces func() int // of a file that are read at a time to build overviews; nil means one for each processor
}

// A Source is a dataset with what the pictures of a style need of it.
type Source struct {
	Converted raster.Provider // as Convert returned it

	CRS       *geo.CRS // nil for an image without a known place on the earth
	Placement geo.Placement

	IsFar bool // whether the file lies behind a network

	NoData     *float64 // the value to mask; nil masks none
	Resampling resample.Method

	// IsRequested says that only a request masks NoData, and no style of the layer. Overviews for
	// requests must not evict those of the layer.
	IsRequested bool

	// IsShownUnmasked says that a style of the layer masks no value. So its overviews without a mask are
	// needed anyway, and those for a request are taken from them where nothing is masked.
	IsShownUnmasked bool

	Saved overview.Saved // keeps overviews of the layer beyond the process; or nil
}

// Chain chains the providers of a dataset: nodata mask, virtual blocks, overviews, georeference.
func (c *Config) Chain(s Source) Set {
	p, overviews := c.levels(&s)
	set := Set{Converted: s.Converted, StoredLevels: p, Overviews: overviews, IsRequested: s.IsRequested}
	if s.CRS == nil {
		set.Pyramid = pyramid.New(set.Overviews)
	} else {
		set.Pyramid = pyramid.NewGeoreferenced(set.Overviews, s.CRS, s.Placement)
	}
	return set
}

// levels returns the levels that the file has, and those with the overviews that it lacks.
func (c *Config) levels(s *Source) (stored raster.Provider, all *overview.Provider) {
	p := s.Converted
	if s.NoData != nil {
		p = wrap.Mask(p, *s.NoData)
	}
	fileBlocks := p
	if c.BlockSize > 0 {
		p = blockcache.Wrap(wrap.Retile(p, c.BlockSize, c.BlockSize), c.Caches.blocks)
	}
	return p, c.addOverviews(p, fileBlocks, s)
}

// addOverviews adds the levels that the file lacks. Overviews are built from the file's own blocks,
// since a virtual block may span many of those.
func (c *Config) addOverviews(p, fileBlocks raster.Provider, s *Source) *overview.Provider {
	config := overview.Config{
		BlockSize: c.BlockSize, Pick: s.Resampling == resample.Nearest, Stored: fileBlocks,
		MaxBytes: max(c.MaxInlineOverviewBytes, 0), Pieces: c.piecesOf(s), IntermediateBytes: c.Caches.intermediateBytes,
		Coarse: c.Caches.overviews, CoarseBytes: c.Caches.overviewBytes, Saved: s.Saved, TellsSamples: s.NoData == nil,
	}
	if s.IsRequested {
		config.Coarse, config.CoarseBytes, config.Saved = c.Caches.requested, c.Caches.requestedBytes, nil
		config.Unmasked, config.Masked = c.unmasked(s), *s.NoData
	}
	if c.Caches.isDisabled {
		config.MaxBytes = 0
	}
	return overview.New(p, c.Caches.blocks, config)
}

// piecesOf returns how many pieces of a file are read at a time to build overviews.
func (c *Config) piecesOf(s *Source) func() int {
	if !s.IsFar {
		return c.Pieces
	}
	const most = 16 // that wait for a network, while others are decoded
	if c.Pieces == nil {
		return func() int { return most }
	}
	return func() int { return max(c.Pieces(), most) }
}

// unmasked returns the overviews of the layer without a mask, or nil if no style needs them.
func (c *Config) unmasked(s *Source) *overview.Provider {
	if !s.IsShownUnmasked {
		return nil
	}
	plain := *s
	plain.NoData, plain.IsRequested = nil, false
	_, all := c.levels(&plain)
	return all
}

// IsBuiltLevel reports whether a level is one that the file lacks.
func (s *Set) IsBuiltLevel(level int) bool { return level >= len(s.StoredLevels.Info().Levels) }

// SavedOverviews returns those blocks of a level for which saved ones are loaded, be it only to find out
// that they are of no use with a nodata value.
func (s *Set) SavedOverviews(level int, ids []raster.BlockID, bands []int) []raster.BlockID {
	if !s.IsBuiltLevel(level) {
		return nil
	}
	return s.Overviews.SavedOnly(level, ids, bands)
}

// OverviewBytes returns the approximate memory of building or loading the overview blocks of a plan
// that are not in memory.
func (s *Set) OverviewBytes(plan *pyramid.Plan) (bytes int64) {
	if !s.IsBuiltLevel(plan.Level) {
		return 0
	}
	ids := plan.Blocks()
	if slices.Contains(s.Overviews.IsBuilt(plan.Level, ids, plan.Bands), false) {
		bytes = s.Overviews.LevelBuildBytes(plan.Level, plan.Bands)
	}
	if saved := s.SavedOverviews(plan.Level, ids, plan.Bands); len(saved) > 0 {
		bytes += s.Overviews.LoadBytes(plan.Level, saved, plan.Bands)
	}
	return bytes
}

// StoredSamples returns how many samples of the file are read for a pixel of a level with the given
// bands. If the level is built, a pixel is made of several, and of all bands that are built together.
func (s *Set) StoredSamples(level int, bands []int) float64 {
	all, stored := s.Pyramid.Provider().Info().Levels, len(s.StoredLevels.Info().Levels)
	if level < stored {
		return float64(len(bands))
	}
	own, coarsest := all[level], all[stored-1]
	return own.ScaleX / coarsest.ScaleX * own.ScaleY / coarsest.ScaleY * float64(s.Overviews.BuiltBands(bands))
}
