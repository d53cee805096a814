package layer

import (
	"slices"

	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/raster"
	"tileserver/style"
)

// A StyleSummary describes the pictures of a layer in a style.
type StyleSummary struct {
	display.Summary
	Resampling string `json:"resampling"`
}

// Summary describes the pictures of a layer in a style. It reads no pixels: ranges that depend on
// statistics are included only if these are cached.
func (c *Catalog) Summary(l *Layer, s style.Style) (StyleSummary, error) {
	current, _ := l.versions.Current() // also of a dataset that is gone, as Describe
	providers := l.providersFor(current, s)
	info := providers.storedLevels.Info()
	resolved, err := s.Spec.Resolve(info)
	if err != nil {
		return StyleSummary{}, Classify(err)
	}
	return StyleSummary{
		Summary:    c.displayCache.summary(providers.storedLevels, resolved, l.statisticsPixels(resolved)),
		Resampling: canonicalResampling(info, resolved.Bands(), canonicalStyle(s).Resampling).String(),
	}, nil
}

// summary describes the pictures of a resolved style as far as the cache allows.
func (d *displayCache) summary(p raster.Provider, r *display.Resolved, pixels int64) display.Summary {
	if chain, ok := d.cachedChain(p, r, pixels); ok {
		return chain.Summary()
	}
	if !r.NeedsStatistics() {
		return r.Summary(nil)
	}
	measured, bands := r.StatisticsSource(p)
	return r.Summary(d.cachedStatistics(measured, bands, pixels))
}

// cachedStatistics returns the statistics of bands, or nil unless all are cached.
func (d *displayCache) cachedStatistics(p raster.Provider, bands []int, pixels int64) *statistics.Dataset {
	found := new(statistics.Dataset)
	for _, band := range slices.Compact(slices.Sorted(slices.Values(bands))) {
		entry, ok := d.statistics.Get(bandKey{p.Key(), band, pixels})
		if !ok {
			return nil
		}
		found.Bands = append(found.Bands, entry.Band)
	}
	return found
}

// HasHeights reports whether terrain modes make sense for the layer: it lies on the earth, and its
// samples are likely to be heights.
func (l *Layer) HasHeights() bool {
	d := l.Describe()
	return d.HasBounds && display.HasHeights(d.Info, l.ID(), l.Title())
}
