package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Point returns what all bands have at a place of a CRS, or with a nil CRS
// at a column and row of the image. What the layer's style takes for no data is
// not valid.
func (c *Catalog) Point(ctx context.Context, id string, crs *geo.CRS, place geo.Point) (Point, error) {
	l, err := c.Layer(id)
	if err != nil {
		return Point{}, err
	}
	found, err := withPresent(ctx, &l.version, func(now *opened) (Point, error) {
		var point pyramid.Point
		from := l.viewFor(now, l.config.Style)
		err := c.config.Gate.within(ctx, func() (err error) {
			point, err = from.pyramid.Point(ctx, crs, place)
			return err
		})
		return valuesAt(point, from.stored.Info()), err
	})
	if err != nil {
		return Point{}, classify(err)
	}
	return found, nil
}

// Point is what lies at one place.
type Point struct {
	Column, Row int // of the finest level
	Bands       []BandValue
}

// BandValue is what a band has at a place. Without data it is not Valid, and the numbers mean
// nothing.
type BandValue struct {
	Valid  bool
	Sample float64 // as the file has it
	Value  float64 // what that means, by the scale and offset of the band, in its unit
	Unit   string
}

func valuesAt(point pyramid.Point, info *raster.Info) Point {
	found := Point{Column: point.Column, Row: point.Row}
	for i, shown := range point.Values {
		band, sample := &info.Bands[i], shown
		if info.Spread > 1 {
			sample = math.Round(shown / info.Spread)
		}
		at := BandValue{Valid: point.Valid[i], Sample: sample, Value: sample, Unit: band.Unit}
		if band.Scale != 0 {
			at.Value = float64(shown*band.Scale) + band.Offset
		}
		found.Bands = append(found.Bands, at)
	}
	return found
}

// Statistics returns the statistics of what a style stretches, if it takes an expression; else
// those of bands of a layer, each once, in the order asked for, where nil bands are all. What
// the style takes for no data does not count.
func (c *Catalog) Statistics(ctx context.Context, id string, style Style) (*statistics.Dataset, error) {
	l, err := c.Layer(id)
	if err != nil {
		return nil, err
	}
	taken, err := withPresent(ctx, &l.version, func(now *opened) (*statistics.Dataset, error) {
		from := l.viewFor(now, style)
		info := from.stored.Info()
		spec := display.Spec{Bands: style.Bands, BandNames: style.BandNames, Expression: style.Expression, Unscale: style.Unscale, Amplitudes: true, Data: true}
		if spec.Expression == "" && spec.Bands == nil && spec.BandNames == nil {
			spec.Bands = info.AllBands()
		}
		if err := info.CheckRequest(0, nil, spec.Bands); err != nil {
			return nil, err
		}
		resolved, err := spec.Resolve(info)
		if err != nil {
			return nil, err
		}
		measured, bands := resolved.Measured(from.stored)
		taken, err := c.derived.statisticsOf(ctx, measured, bands)
		if err == nil && info.Spread > 1 && !resolved.IsComputed() {
			taken = taken.Divided(info.Spread)
		}
		return taken, err
	})
	if err != nil {
		return nil, classify(err)
	}
	return taken, nil
}

// StatisticsState names the statistics that pictures of a layer are stretched by, and tells
// how far they are while they are being taken.
func (c *Catalog) StatisticsState(l *Layer) (version string, part float64, going bool) {
	now, _ := l.version.now()
	dataset := now.dataset.Provider.Key()
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%s", statistics.Version, dataset))
	part, going = c.derived.surveys.of(dataset)
	return hex.EncodeToString(sum[:8]), part, going
}
