package layer

import (
	"context"

	"tileserver/display/legend"
)

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
		chain, err := c.derived.chainFor(ctx, from.stored, resolved)
		if err != nil {
			return nil, err
		}
		made, ok := chain.Legend()
		if !ok {
			return nil, notFound("there is no legend of this style")
		}
		made.Title = l.Title()
		return made, nil
	})
	if err != nil {
		return nil, classify(err)
	}
	return made, nil
}
