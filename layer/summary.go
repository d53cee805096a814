package layer

import (
	"tileserver/display"
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
	info := providers.StoredLevels.Info()
	resolved, err := s.Spec.Resolve(info)
	if err != nil {
		return StyleSummary{}, Classify(err)
	}
	return StyleSummary{
		Summary:    c.analysis.Summary(providers.StoredLevels, resolved, l.statisticsPixels(resolved)),
		Resampling: canonicalResampling(info, resolved.Bands(), canonicalStyle(s).Resampling).String(),
	}, nil
}

// HasHeights reports whether terrain modes make sense for the layer: it lies on the earth, and its
// samples are likely to be heights.
func (l *Layer) HasHeights() bool {
	d := l.Describe()
	return d.HasBounds && display.HasHeights(d.Info, l.ID(), l.Title())
}
