package layer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"tileserver/display"
	"tileserver/display/statistics"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Point returns what the bands of a style, or what it computes of them, have at a place of a CRS, or with a nil CRS
// at a column and row of the image. What the layer's style takes for no data is
// not valid.
func (c *Catalog) Point(ctx context.Context, id string, style Style, crs *geo.CRS, place geo.Point) (Point, error) {
	l, err := c.Layer(id)
	if err != nil {
		return Point{}, err
	}
	result, err := withCurrent(ctx, &l.versions, func(current *version) (Point, error) {
		var point pyramid.Point
		providers := l.providersFor(current, style)
		resolved, err := dataSpec(style, providers.storedLevels.Info()).Resolve(providers.storedLevels.Info())
		if err != nil {
			return Point{}, err
		}
		err = c.config.Gate.run(ctx, func() (err error) {
			point, err = providers.pyramid.Point(ctx, crs, place)
			return err
		})
		if err != nil {
			return Point{}, err
		}
		current.damage.add(point.Damage)
		if point.Damage.IsTotal() || !point.Damage.IsZero() && !slices.Contains(point.Valid, true) {
			return Point{}, damagedError(point.Damage)
		}
		return bandValues(point, providers.storedLevels.Info(), resolved)
	})
	if err != nil {
		return Point{}, classify(err)
	}
	return result, nil
}

// Point is what lies at one place.
type Point struct {
	Column, Row int // of the finest level
	Bands       []BandValue

	Damage raster.Damage // what is lost of what the values are made of
}

// BandValue is what a band has at a place. Without data it is not Valid, and the numbers mean
// nothing.
type BandValue struct {
	Valid  bool
	Sample float64 // as the file has it
	Value  float64 // what that means, by the scale and offset of the band, in its unit
	Unit   string
	Name   string // of the band in the file
}

// dataOf is the data that a style shows: of its bands, or of all if it names none.
func dataSpec(style Style, info *raster.Info) display.Spec {
	spec := display.Spec{
		Bands: style.Bands, BandNames: style.BandNames, Expression: style.Expression,
		Unscale: style.Unscale, Amplitudes: true, Data: true,
	}
	if spec.Expression == "" && spec.Bands == nil && spec.BandNames == nil {
		spec.Bands = info.AllBands()
	}
	return spec
}

func bandValues(point pyramid.Point, info *raster.Info, resolved *display.Resolved) (Point, error) {
	result := Point{Column: point.Column, Row: point.Row, Damage: point.Damage}
	if resolved.IsComputed() {
		return result, computeValues(&result, point, info, resolved)
	}
	for _, at := range resolved.Bands() {
		band := &info.Bands[at]
		value := point.Values[at]
		sample := value
		if info.Spread > 1 {
			sample = math.Round(value / info.Spread)
		}
		bandValue := BandValue{Valid: point.Valid[at], Sample: sample, Value: sample, Unit: band.Unit, Name: band.Name}
		if band.Scale != 0 {
			bandValue.Value = float64(value*band.Scale) + band.Offset
		}
		result.Bands = append(result.Bands, bandValue)
	}
	return result, nil
}

// computeAt computes what a style makes of the samples at a point, as a tile of one pixel.
func computeValues(result *Point, point pyramid.Point, info *raster.Info, resolved *display.Resolved) error {
	bands := resolved.Bands()
	b := raster.NewBuffer(info.Type, 1, 1, len(bands))
	for i, at := range bands {
		b.Fill(i, point.Values[at])
		if !point.Valid[at] {
			b.OwnValidity(i)[0] = raster.Invalid
		}
	}
	computed, err := resolved.Compute(b.Freeze(), nil)
	if err != nil {
		return err
	}
	for i := range computed.Bands() {
		value, coverage := computed.At(i, 0, 0)
		result.Bands = append(result.Bands, BandValue{Valid: coverage != raster.Invalid, Sample: value, Value: value})
	}
	return nil
}

// Statistics returns the statistics of what a style stretches, if it takes an expression; else
// those of bands of a layer, each once, in the order asked for, where nil bands are all. What
// the style takes for no data does not count.
func (c *Catalog) Statistics(ctx context.Context, id string, style Style) (*statistics.Dataset, error) {
	l, err := c.Layer(id)
	if err != nil {
		return nil, err
	}
	result, err := withCurrent(ctx, &l.versions, func(current *version) (*statistics.Dataset, error) {
		providers := l.providersFor(current, style)
		info := providers.storedLevels.Info()
		spec := dataSpec(style, info)
		resolved, err := spec.Resolve(info)
		if err != nil {
			return nil, err
		}
		measured, bands := resolved.StatisticsSource(providers.storedLevels)
		result, err := c.displayCache.fetchStatistics(ctx, measured, bands, l.statisticsTask(current, measured))
		switch {
		case err != nil:
			return nil, err
		case resolved.IsComputed() && spec.Expression == "": // band by band
			result = &statistics.Dataset{Bands: slices.Clone(result.Bands)}
			for i, band := range resolved.Bands() {
				result.Bands[i].Band = band
			}
		case info.Spread > 1 && !resolved.IsComputed():
			result = result.Divided(info.Spread)
		}
		return result, nil
	})
	if err != nil {
		return nil, classify(err)
	}
	return result, nil
}

// StatisticsState names the statistics that pictures of a layer are stretched by, and tells
// how far they are while they are being taken.
func (c *Catalog) StatisticsState(l *Layer) (version string, fraction float64, isRunning bool) {
	current, _ := l.versions.current()
	dataset := current.dataset.Provider.Key()
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%d:%s", statistics.Version, l.config.StatisticsPixels, dataset))
	fraction, isRunning = c.displayCache.scheduler.progressOf(dataset)
	return hex.EncodeToString(sum[:8]), fraction, isRunning
}
