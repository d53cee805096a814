package layer

import (
	"context"
	"slices"
	"strconv"

	"tileserver/cache"
	"tileserver/cache/disk"
	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// A displayCache caches display chains and statistics. Entries are small, costly to compute, and
// every picture of a layer needs them. Separate caches keep blocks and pictures from evicting them.
type displayCache struct {
	chains     *cache.Space[string, *chainEntry]
	statistics *cache.Space[bandKey, *bandStatistics]
	scheduler  *statisticsScheduler

	// Separate, since chains are many and cheap to compile, and statistics are costly.
	chainCache, statisticsCache *cache.Cache
}

const (
	chainCacheBytes      = 64 << 20
	statisticsCacheBytes = 32 << 20
)

func newDisplayCache(state *disk.Store, memory *cache.Budget) *displayCache {
	d := &displayCache{scheduler: newStatisticsScheduler(state, memory), chainCache: cache.New(chainCacheBytes), statisticsCache: cache.New(statisticsCacheBytes)}
	d.chains = cache.NewSpace[string, *chainEntry](d.chainCache, "chains")
	d.statistics = cache.NewSpace[bandKey, *bandStatistics](d.statisticsCache, "statistics")
	return d
}

// A chainEntry is a display chain in the cache.
type chainEntry struct{ *display.Chain }

// Size returns the approximate size of the largest chain: a 16-bit table for each of three bands,
// the colors of a 16-bit palette, and the tables of a formula.
func (c *chainEntry) Size() int64 { return 3<<16 + 4<<16 + 3<<16 }

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

// fetchStatistics returns the statistics of bands of a provider, each once, in the requested order.
// Concurrent callers share the computation of a band.
func (d *displayCache) fetchStatistics(ctx context.Context, p raster.Provider, requested []int, task statisticsTask) (*statistics.Dataset, error) {
	bands := slices.Compact(slices.Sorted(slices.Values(requested)))
	keys := make([]bandKey, len(bands))
	for i, band := range bands {
		keys[i] = bandKey{p.Key(), band, task.maxPixels}
	}
	fetched, err := d.statistics.Fetch(ctx, keys, func(ctx context.Context, missing []bandKey) ([]*bandStatistics, error) {
		return d.scheduler.fetch(ctx, p, missing, task)
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

// cachedChain returns the display chain of a resolved style if it is cached.
func (d *displayCache) cachedChain(p raster.Provider, r *display.Resolved, pixels int64) (*display.Chain, bool) {
	entry, ok := d.chains.Get(chainKey(p, r, pixels))
	if !ok {
		return nil, false
	}
	return entry.Chain, true
}

// fetchChain returns the display chain of a resolved style, computing statistics if it needs them.
func (d *displayCache) fetchChain(ctx context.Context, p raster.Provider, r *display.Resolved, pixels int64, taskFor func(measured raster.Provider) statisticsTask) (*display.Chain, error) {
	entry, err := d.chains.FetchOne(ctx, chainKey(p, r, pixels), func(ctx context.Context) (*chainEntry, error) {
		var stats *statistics.Dataset
		if r.NeedsStatistics() {
			var err error
			measured, bands := r.StatisticsSource(p)
			if stats, err = d.fetchStatistics(ctx, measured, bands, taskFor(measured)); err != nil {
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
