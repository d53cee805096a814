package layer

import (
	"math"

	"tileserver/display/colormap"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/style"
)

// Requests for the same picture in different words become equal here, so that it is rendered once
// and has one key.

// canonicalNoData returns nil if masking noData would change no pixel: the sample type cannot hold
// the value, or all bands already have it as nodata.
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

// sampleValue converts a number to the sample of a type. ok is false if the type has no such
// sample. NaN has none, since it is always nodata.
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

// positiveZero returns v, or 0 for -0: both are equal but print differently.
func positiveZero(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

// canonicalResampling returns the resampling to use instead of the requested one. Palette indices
// and class numbers cannot be averaged, so nearest applies to them.
func canonicalResampling(info *raster.Info, bands []int, requested resample.Method) resample.Method {
	if info.IsClassified(bands) {
		return resample.Nearest
	}
	return requested
}

// canonicalStyle sets nearest resampling for styles whose colors stand for classes.
func canonicalStyle(s style.Style) style.Style {
	if s.ColorMap == "" && s.Colors != nil && s.Colors.Kind() == colormap.Categories {
		s.Resampling = resample.Nearest
	}
	return s
}
