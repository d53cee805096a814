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
	"tileserver/layer/versions"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/style"
)

// Point returns the values at a place: of the style's bands, or of its expression. place is in crs,
// or a column and row of the image if crs is nil. Nodata of the style gives values that are not
// Valid.
func (c *Catalog) Point(ctx context.Context, l *Layer, s style.Style, crs *geo.CRS, place geo.Point) (Point, error) {
	result, err := versions.Use(ctx, l.versions, func(current *version) (Point, error) {
		var point pyramid.Point
		providers := l.providersFor(current, s)
		resolved, err := dataSpec(s, providers.StoredLevels.Info()).Resolve(providers.StoredLevels.Info())
		if err != nil {
			return Point{}, err
		}
		err = c.config.Gate.Run(ctx, pointWork(l, current), func(ctx context.Context) (err error) {
			point, err = providers.Pyramid.Point(ctx, crs, place)
			return err
		})
		if err != nil {
			return Point{}, err
		}
		current.damage.add(point.Damage)
		if point.Damage.IsTotal() || !point.Damage.IsZero() && !slices.Contains(point.Valid, true) {
			return Point{}, damagedError(point.Damage)
		}
		return bandValues(point, providers.StoredLevels.Info(), resolved)
	})
	if err != nil {
		return Point{}, Classify(err)
	}
	return result, nil
}

// A Point has the values at one place.
type Point struct {
	Column, Row int // in the finest level
	Bands       []BandValue

	Damage raster.Damage // damage of the pixels that the values were computed from
}

// A BandValue is the value of a band at a place. If it is not Valid, Sample and Value are
// meaningless.
type BandValue struct {
	Valid  bool
	Sample float64 // as stored
	Value  float64 // with the scale and offset of the band, in Unit
	Unit   string
	Name   string // of the band in the file
}

// dataSpec returns a spec for the unstretched values of a style: those of its bands, its
// expression, or all bands if it names none.
func dataSpec(s style.Style, info *raster.Info) display.Spec {
	spec := display.Spec{
		Bands: s.Bands, BandNames: s.BandNames, Expression: s.Expression,
		Unscale: s.Unscale, Amplitudes: true, Data: true,
	}
	if spec.Expression == nil && spec.Bands == nil && spec.BandNames == nil {
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

// computeValues computes the values of a style at a point, as a tile of one pixel.
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

// Statistics returns the statistics of the values that a style stretches, if it has an expression.
// Otherwise it returns those of the style's bands, each once, in the requested order; nil bands
// mean all. Nodata of the style does not count.
func (c *Catalog) Statistics(ctx context.Context, l *Layer, s style.Style) (*statistics.Dataset, error) {
	result, err := versions.Use(ctx, l.versions, func(current *version) (*statistics.Dataset, error) {
		providers := l.providersFor(current, s)
		info := providers.StoredLevels.Info()
		spec := dataSpec(s, info)
		resolved, err := spec.Resolve(info)
		if err != nil {
			return nil, err
		}
		measured, bands := resolved.StatisticsSource(providers.StoredLevels)
		result, err := c.analysis.Statistics(ctx, measured, bands, l.statisticsTask(current, measured))
		switch {
		case err != nil:
			return nil, err
		case resolved.IsComputed() && spec.Expression == nil: // computed band by band
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
		return nil, Classify(err)
	}
	return result, nil
}

// StatisticsState returns a version of the statistics that the pictures of a layer are stretched
// by. If they are being computed, isRunning is true and fraction is the progress.
func (c *Catalog) StatisticsState(l *Layer) (version string, fraction float64, isRunning bool) {
	current, _ := l.versions.Current()
	dataset := current.dataset.Provider.Key()
	sum := sha256.Sum256(fmt.Appendf(nil, "%d:%d:%s", statistics.Version, l.config.StatisticsPixels, dataset))
	fraction, isRunning = c.analysis.Progress(dataset)
	return hex.EncodeToString(sum[:8]), fraction, isRunning
}
