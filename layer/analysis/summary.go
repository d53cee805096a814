package analysis

import (
	"slices"

	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/raster"
)

// Summary describes the pictures of a resolved style as far as the cache allows.
func (c *Cache) Summary(p raster.Provider, r *display.Resolved, pixels int64) display.Summary {
	if chain, ok := c.CachedChain(p, r, pixels); ok {
		return chain.Summary()
	}
	if !r.NeedsStatistics() {
		return r.Summary(nil)
	}
	measured, bands := r.StatisticsSource(p)
	return r.Summary(c.cachedStatistics(measured, bands, pixels))
}

// cachedStatistics returns the statistics of bands, or nil unless all are cached.
func (c *Cache) cachedStatistics(p raster.Provider, bands []int, pixels int64) *statistics.Dataset {
	found := new(statistics.Dataset)
	for _, band := range slices.Compact(slices.Sorted(slices.Values(bands))) {
		entry, ok := c.statistics.Get(bandKey{p.Key(), band, pixels})
		if !ok {
			return nil
		}
		found.Bands = append(found.Bands, entry.Band)
	}
	return found
}
