package layer

import (
	"math"

	"tileserver/display/colormap"
	"tileserver/pyramid"
	"tileserver/raster"
)

// Requests that ask for the same picture in other words are made the same here,
// so that it is made once and has one ETag.

// canonicalNoData is nil where masking a sample would change no pixel: none can
// hold it, or it is no data already.
func canonicalNoData(info *raster.Info, noData *float64) *float64 {
	if noData == nil {
		return nil
	}
	stored := *noData
	if info.Spread > 1 {
		stored = math.Round(stored * info.Spread)
	}
	value, ok := sampleValue(info.Type, stored)
	if !ok {
		return nil
	}
	for _, band := range info.Bands {
		own, ok := sampleValue(info.Type, band.NoData)
		if !band.HasNoData || !ok || own != value {
			return &value
		}
	}
	return nil
}

// asSample is the sample of a type that a number stands for, if there is one. NaN
// is none, for it is no data wherever there is one.
func sampleValue(t raster.DataType, value float64) (float64, bool) {
	switch t {
	case raster.Float64:
	case raster.Float32:
		value = float64(float32(value))
	default:
		if low, high := t.Limits(); value != math.Trunc(value) || value < low || value > high {
			return 0, false
		}
	}
	return positiveZero(value), !math.IsNaN(value)
}

// positiveZero is v, or 0 for -0, which is written differently and means the same.
func positiveZero(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

// canonicalResampling is how a picture is resampled whatever is asked for: the
// numbers of palette colours and of classes have no mean.
func canonicalResampling(info *raster.Info, bands []int, asked pyramid.Resampling) pyramid.Resampling {
	if info.IsClassified(bands) {
		return pyramid.Nearest
	}
	return asked
}

// withClasses is a style that picks samples where its colours are of classes.
func canonicalStyle(style Style) Style {
	if style.ColorMap == "" && style.Colors != nil && style.Colors.Kind() == colormap.Categories {
		style.Resampling = pyramid.Nearest
	}
	return style
}
