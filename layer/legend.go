package layer

import (
	"context"

	"tileserver/display/legend"
	"tileserver/raster"
)

// RunInSlot does work for a picture that is no view of an image, and takes so many bytes.
func (c *Catalog) RunInSlot(ctx context.Context, bytes int64, work func() error) error {
	return classifyOrNil(c.config.Gate.within(ctx, func() error {
		if err := c.config.Pictures.Acquire(ctx, bytes); err != nil {
			return err
		}
		defer c.config.Pictures.Release(bytes)
		return work()
	}))
}

func classifyOrNil(err error) error {
	if err != nil {
		return classify(err)
	}
	return nil
}

// Legend explains the colours of a layer in a style, with the statistics that its pictures
// have. It is NotFound where there is nothing to explain.
func (c *Catalog) Legend(ctx context.Context, id string, style Style) (*legend.Legend, error) {
	l, err := c.Layer(id)
	if err != nil {
		return nil, err
	}
	made, err := withPresent(ctx, &l.version, func(now *opened) (*legend.Legend, error) {
		from := l.viewFor(now, style)
		resolved, err := style.Spec.Resolve(from.stored.Info())
		if err != nil {
			return nil, err
		}
		chain, err := c.derived.chainFor(ctx, from.stored, resolved, l.statisticsPixels(resolved), func(measured raster.Provider) purpose { return l.purposeOf(now, measured) })
		if err != nil {
			return nil, err
		}
		made, ok := chain.Legend()
		if !ok {
			return nil, notFound("this style has no legend")
		}
		return made, nil
	})
	if err != nil {
		return nil, classify(err)
	}
	return made, nil
}

// HasLegend tells whether there is something to explain of a style, without taking
// statistics for that.
func (l *Layer) HasLegend(style Style) bool {
	now, err := l.version.now()
	if err != nil {
		return false
	}
	resolved, err := style.Spec.Resolve(l.viewFor(now, style).stored.Info())
	return err == nil && resolved.HasLegend()
}
