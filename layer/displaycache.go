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

// derived are chains and statistics. They are small, dear to make and wanted by
// every picture of a layer, so they have a cache of their own that pixels cannot
// empty.
type displayCache struct {
	chains     *cache.Space[string, *chainEntry]
	statistics *cache.Space[bandKey, *bandStatistics]
	scheduler  *statisticsScheduler

	// Caches of their own, for chains are many and quickly made, and statistics are not.
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

// chain is a display chain as it is kept.
type chainEntry struct{ *display.Chain }

// Size is about what the largest chain takes: a table of 16 bits for each of
// three bands, the colours of a palette of 16 bits, and the tables of a formula.
func (c *chainEntry) Size() int64 { return 3<<16 + 4<<16 + 3<<16 }

// bandKey names the statistics of a band.
type bandKey struct {
	provider string // its Key
	band     int
	pixels   int64 // that are looked at: a layer may be given another number while it is served
}

// bandStatistics are the statistics of a band as they are kept.
type bandStatistics struct{ statistics.Band }

// Size is about what the histogram takes.
func (s *bandStatistics) Size() int64 { return int64(cap(s.Histogram.Counts)) * 8 }

// statisticsOf returns the statistics of bands of a provider, each once, in the
// order asked for. A band's are taken once, however many ask for them and beside
// which others.
func (d *displayCache) fetchStatistics(ctx context.Context, p raster.Provider, asked []int, task statisticsTask) (*statistics.Dataset, error) {
	bands := slices.Compact(slices.Sorted(slices.Values(asked)))
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
	for _, band := range asked {
		if i, _ := slices.BinarySearch(bands, band); !added[i] {
			all.Bands, added[i] = append(all.Bands, fetched[i].Band), true
		}
	}
	return all, nil
}

// chainKey names the chain of a resolved spec that statistics of so many pixels decide.
func chainKey(p raster.Provider, r *display.Resolved, pixels int64) string {
	return p.Key() + ":" + r.Key() + ":" + strconv.FormatInt(pixels, 10)
}

// readyChain returns the display chain of a resolved spec, if it is kept.
func (d *displayCache) cachedChain(p raster.Provider, r *display.Resolved, pixels int64) (*display.Chain, bool) {
	entry, ok := d.chains.Get(chainKey(p, r, pixels))
	if !ok {
		return nil, false
	}
	return entry.Chain, true
}

// chainFor returns the display chain of a resolved spec.
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
