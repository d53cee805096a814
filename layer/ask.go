package layer

import (
	"context"
	"slices"

	"tileserver/display/statistics"
	"tileserver/geo"
	"tileserver/pyramid"
)

// Point returns the samples of all bands at a place of a CRS, or with a nil CRS
// at a column and row of the image. What the layer's style takes for no data is
// not valid.
func (c *Catalog) Point(ctx context.Context, id string, crs *geo.CRS, place geo.Point) (pyramid.Point, error) {
	l, err := c.Layer(id)
	if err != nil {
		return pyramid.Point{}, err
	}
	point, err := withPresent(ctx, &l.version, func(now *opened) (point pyramid.Point, err error) {
		from := l.viewFor(now, l.config.Style)
		err = c.config.Gate.within(ctx, func() error {
			point, err = from.pyramid.Point(ctx, crs, place)
			return err
		})
		return point, err
	})
	if err != nil {
		return pyramid.Point{}, classify(err)
	}
	return point, nil
}

// Statistics returns the statistics of bands of a layer, each once, in the order
// asked for; nil bands are all. What the layer's style takes for no data does not
// count.
func (c *Catalog) Statistics(ctx context.Context, id string, asked []int) (*statistics.Dataset, error) {
	l, err := c.Layer(id)
	if err != nil {
		return nil, err
	}
	taken, err := withPresent(ctx, &l.version, func(now *opened) (*statistics.Dataset, error) {
		from := l.viewFor(now, l.config.Style)
		info, bands := from.stored.Info(), slices.Clone(asked)
		if asked == nil {
			bands = info.AllBands()
		}
		if err := info.CheckRequest(0, nil, bands); err != nil {
			return nil, err
		}
		return c.derived.statisticsOf(ctx, from.stored, bands)
	})
	if err != nil {
		return nil, classify(err)
	}
	return taken, nil
}
