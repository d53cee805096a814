package layer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tileserver/cache"
	"tileserver/display"
	"tileserver/pyramid"
	"tileserver/raster"
)

// CatalogConfig is what layers share.
type CatalogConfig struct {
	Cache     *cache.Cache     // of blocks and pictures; nil keeps nothing
	Gate      *Gate            // nil makes one picture at a time, and none wait
	MaxPixels int              // of one picture; DefaultMaxPixels where 0
	Encoder   *display.Encoder // nil is one of its own
}

// DefaultMaxPixels lets a picture be as large as a screen of 4096 by 4096.
const DefaultMaxPixels = 4096 * 4096

// Catalog is all layers and what they share.
type Catalog struct {
	config   CatalogConfig
	layers   []*Layer
	byID     map[string]*Layer
	blocks   *pyramid.Blocks
	pictures *cache.Space[string, encoded]

	// Chains and statistics are small, dear to make and wanted by every picture
	// of a layer, so they have a cache of their own that pixels cannot empty.
	derived    *cache.Cache
	chains     *cache.Space[string, *chain]
	statistics *cache.Space[string, *statistics]
}

// derivedBytes bounds the cache of chains and statistics.
const derivedBytes = 64 << 20

// NewCatalog returns a catalog without layers.
func NewCatalog(config CatalogConfig) *Catalog {
	if config.MaxPixels <= 0 {
		config.MaxPixels = DefaultMaxPixels
	}
	if config.Gate == nil {
		config.Gate = NewGate(1, 0)
	}
	if config.Encoder == nil {
		config.Encoder = new(display.Encoder)
	}
	derived := cache.New(derivedBytes)
	return &Catalog{
		derived:    derived,
		config:     config,
		byID:       make(map[string]*Layer),
		blocks:     pyramid.NewBlocks(config.Cache),
		pictures:   cache.NewSpace[string, encoded](config.Cache, "pictures"),
		chains:     cache.NewSpace[string, *chain](derived, "chains"),
		statistics: cache.NewSpace[string, *statistics](derived, "statistics"),
	}
}

// Add opens a layer. It is for the time before requests come.
func (c *Catalog) Add(ctx context.Context, config Config) error {
	if _, taken := c.byID[config.ID]; taken {
		return fmt.Errorf("there are two layers %q", config.ID)
	}
	l, err := newLayer(ctx, config, c.blocks)
	if err != nil {
		return err
	}
	c.layers = append(c.layers, l)
	c.byID[config.ID] = l
	return nil
}

// Layers lists all layers in the order they were added.
func (c *Catalog) Layers() []*Layer { return slices.Clone(c.layers) }

// Layer finds a layer by its id.
func (c *Catalog) Layer(id string) (*Layer, error) {
	if l, ok := c.byID[id]; ok {
		return l, nil
	}
	return nil, notFound("there is no layer %q", id)
}

// Close closes all datasets.
func (c *Catalog) Close() error {
	var errs []error
	for _, l := range c.layers {
		errs = append(errs, l.version.present.Load().dataset.Close())
	}
	return errors.Join(errs...)
}

// chain is a display chain as it is kept.
type chain struct{ *display.Chain }

// Size is about what the largest chain takes: a table of 16 bits for each of
// three bands, and the colours of a palette of 16 bits.
func (c *chain) Size() int64 { return 3<<16 + 4<<16 }

// statistics are kept by the provider's key and the bands they are of.
type statistics struct{ *display.Statistics }

// Size is about what the histograms take.
func (s *statistics) Size() int64 {
	n := int64(0)
	for _, b := range s.Bands {
		n += int64(cap(b.Histogram.Counts)) * 8
	}
	return n
}

// statisticsOf returns the statistics of bands of a provider, taken once however
// many ask for them.
func (c *Catalog) statisticsOf(ctx context.Context, p raster.Provider, bands []int) (*display.Statistics, error) {
	key := fmt.Sprint(p.Key(), ":bands:", bands)
	s, err := c.statistics.FetchOne(ctx, key, func(ctx context.Context) (*statistics, error) {
		s, err := display.ComputeStatistics(ctx, p, bands)
		if err != nil {
			return nil, fmt.Errorf("statistics of bands %v: %w", bands, err)
		}
		return &statistics{s}, nil
	})
	if err != nil {
		return nil, err
	}
	return s.Statistics, nil
}

// chainFor returns the display chain of a resolved spec.
func (c *Catalog) chainFor(ctx context.Context, p raster.Provider, r *display.Resolved) (*display.Chain, error) {
	key := p.Key() + ":" + r.Key()
	kept, err := c.chains.FetchOne(ctx, key, func(ctx context.Context) (*chain, error) {
		var stats *display.Statistics
		if r.NeedsStatistics() {
			var err error
			if stats, err = c.statisticsOf(ctx, p, r.Bands()); err != nil {
				return nil, err
			}
		}
		compiled, err := display.Compile(r, stats)
		if err != nil {
			return nil, err
		}
		return &chain{compiled}, nil
	})
	if err != nil {
		return nil, err
	}
	return kept.Chain, nil
}

// Stats is what a catalog is doing.
type Stats struct {
	Cache            cache.Stats // of blocks and pictures
	Derived          cache.Stats // of chains and statistics
	Working, Waiting int         // pictures
	Layers           int
}

// Stats is a snapshot.
func (c *Catalog) Stats() Stats {
	s := Stats{Cache: c.config.Cache.Stats(), Derived: c.derived.Stats(), Layers: len(c.layers)}
	s.Working, s.Waiting = c.config.Gate.Load()
	return s
}
