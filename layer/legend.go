package layer

import (
	"context"

	"tileserver/display/legend"
	"tileserver/layer/analysis"
	"tileserver/layer/versions"
	"tileserver/raster"
	"tileserver/style"
)

// Legend returns the legend of a layer in a style, with the same statistics as its pictures. The
// error is NotFound if the style has no legend.
func (c *Catalog) Legend(ctx context.Context, l *Layer, s style.Style) (*legend.Legend, error) {
	result, err := versions.Use(ctx, l.versions, func(current *version) (*legend.Legend, error) {
		providers := l.providersFor(current, s)
		resolved, err := s.Spec.Resolve(providers.StoredLevels.Info())
		if err != nil {
			return nil, err
		}
		chain, err := c.analysis.Chain(ctx, providers.StoredLevels, resolved, l.statisticsPixels(resolved), func(measured raster.Provider) analysis.Task { return l.statisticsTask(current, measured) })
		if err != nil {
			return nil, err
		}
		result, ok := chain.Legend()
		if !ok {
			return nil, notFound("this style has no legend")
		}
		return result, nil
	})
	if err != nil {
		return nil, Classify(err)
	}
	return result, nil
}

// HasLegend reports whether a style has a legend. It computes no statistics.
func (l *Layer) HasLegend(s style.Style) bool {
	current, err := l.versions.Current()
	if err != nil {
		return false
	}
	resolved, err := s.Spec.Resolve(l.providersFor(current, s).StoredLevels.Info())
	return err == nil && resolved.HasLegend()
}
