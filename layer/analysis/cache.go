// Package analysis computes and caches what pictures need to know about a whole dataset: statistics of
// bands, and the display chains that are compiled from them.
//
// Package layer calls it. It owns the caches of chains and statistics, the queues of computations, and
// the statistics on disk. It must never know layers, pictures or requests.
//
// Words:
//
//   - The *provider* of a chain has the samples that a style shows. The *measured* provider has the
//     samples that statistics count, which an expression may have computed.
//   - A *task* says for which dataset and style statistics are computed. That decides their queue.
package analysis

import (
	"context"
	"slices"
	"strconv"

	"tileserver/admission"
	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// A Cache holds display chains and statistics. Entries are small, costly to compute, and every
// picture of a layer needs them. Separate caches keep blocks and pictures from evicting them.
type Cache struct {
	chains     *cache.Space[string, *chainEntry]
	statistics *cache.Space[bandKey, *bandStatistics]
	scheduler  *scheduler

	// Separate, since chains are many and cheap to compile, and statistics are costly.
	chainCache, statisticsCache *cache.Cache
}

const (
	chainCacheBytes      = 64 << 20
	statisticsCacheBytes = 32 << 20
)

// Config configures a Cache.
type Config struct {
	State *disk.Store     // stores statistics; nil does not
	Gate  *admission.Gate // bounds computations and their memory
}

// New returns an empty cache.
func New(config Config) *Cache {
	c := &Cache{scheduler: newScheduler(config), chainCache: cache.New(chainCacheBytes), statisticsCache: cache.New(statisticsCacheBytes)}
	c.chains = cache.NewSpace[string, *chainEntry](c.chainCache, "chains")
	c.statistics = cache.NewSpace[bandKey, *bandStatistics](c.statisticsCache, "statistics")
	return c
}

// Stats returns the activity of the caches of chains and of statistics.
func (c *Cache) Stats() (chains, statistics cache.Stats) {
	return c.chainCache.Stats(), c.statisticsCache.Stats()
}

// Progress returns the fraction done of running statistics of a dataset, for any provider built on
// it. ok is false if none are running.
func (c *Cache) Progress(dataset string) (fraction float64, ok bool) {
	return c.scheduler.progressOf(dataset)
}

// A chainEntry is a display chain in the cache.
type chainEntry struct{ *display.Chain }

// Size returns the approximate size of the largest chain: a 16-bit table for each of three bands,
// the colors of a 16-bit palette, and the tables of a formula.
func (e *chainEntry) Size() int64 { return 3<<16 + 4<<16 + 3<<16 }

// A bandKey identifies the statistics of a band in the cache.
type bandKey struct {
	provider string // Provider.Key
	band     int
	pixels   int64 // maximum number sampled; the configuration of a served layer may change it
}

// bandStatistics is the cache entry of a band's statistics.
type bandStatistics struct{ statistics.Band }

// Size returns the approximate size, which is that of the histogram.
func (s *bandStatistics) Size() int64 { return int64(cap(s.Histogram.Counts)) * 8 }

// Statistics returns the statistics of bands of a provider, each once, in the requested order.
// Concurrent callers share the computation of a band.
func (c *Cache) Statistics(ctx context.Context, p raster.Provider, requested []int, task Task) (*statistics.Dataset, error) {
	bands := slices.Compact(slices.Sorted(slices.Values(requested)))
	keys := make([]bandKey, len(bands))
	for i, band := range bands {
		keys[i] = bandKey{p.Key(), band, task.MaxPixels}
	}
	fetched, err := c.statistics.Fetch(ctx, keys, func(ctx context.Context, missing []bandKey) ([]*bandStatistics, error) {
		return c.scheduler.fetch(ctx, p, missing, task)
	})
	if err != nil {
		return nil, err
	}
	all := &statistics.Dataset{Bands: make([]statistics.Band, 0, len(bands))}
	added := make([]bool, len(bands))
	for _, band := range requested {
		if i, _ := slices.BinarySearch(bands, band); !added[i] {
			all.Bands, added[i] = append(all.Bands, fetched[i].Band), true
		}
	}
	return all, nil
}

// chainKey returns the cache key of the chain of a resolved style. pixels is the number of pixels
// that statistics sample.
func chainKey(p raster.Provider, r *display.Resolved, pixels int64) string {
	return p.Key() + ":" + r.Key() + ":" + strconv.FormatInt(pixels, 10)
}

// CachedChain returns the display chain of a resolved style if it is cached.
func (c *Cache) CachedChain(p raster.Provider, r *display.Resolved, pixels int64) (*display.Chain, bool) {
	entry, ok := c.chains.Get(chainKey(p, r, pixels))
	if !ok {
		return nil, false
	}
	return entry.Chain, true
}

// Chain returns the display chain of a resolved style, computing statistics if it needs them.
func (c *Cache) Chain(ctx context.Context, p raster.Provider, r *display.Resolved, pixels int64, taskFor func(measured raster.Provider) Task) (*display.Chain, error) {
	entry, err := c.chains.FetchOne(ctx, chainKey(p, r, pixels), func(ctx context.Context) (*chainEntry, error) {
		var stats *statistics.Dataset
		if r.NeedsStatistics() {
			var err error
			measured, bands := r.StatisticsSource(p)
			if stats, err = c.Statistics(ctx, measured, bands, taskFor(measured)); err != nil {
				return nil, err
			}
		}
		compiled, err := display.Compile(r, stats)
		if err != nil {
			return nil, err
		}
		return &chainEntry{compiled}, nil
	})
	if err != nil {
		return nil, err
	}
	return entry.Chain, nil
}
