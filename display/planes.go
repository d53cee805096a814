package display

import (
	"tileserver/display/expression"
	"tileserver/raster"
)

// planeOf returns the scaled samples of a band as the input of an expression.
func planeOf(t raster.Tile, band int, s scaling) expression.Plane {
	plane := samplesOf(t, band)
	if s == (scaling{}) {
		return plane
	}
	return &expression.Scaled{Plane: plane, Scale: s.factor, Offset: s.offset}
}

func samplesOf(t raster.Tile, band int) expression.Plane {
	switch t.Type() {
	case raster.Uint8:
		return expression.Samples[uint8](raster.Samples[uint8](t, band))
	case raster.Int8:
		return expression.Samples[int8](raster.Samples[int8](t, band))
	case raster.Uint16:
		return expression.Samples[uint16](raster.Samples[uint16](t, band))
	case raster.Int16:
		return expression.Samples[int16](raster.Samples[int16](t, band))
	case raster.Uint32:
		return expression.Samples[uint32](raster.Samples[uint32](t, band))
	case raster.Int32:
		return expression.Samples[int32](raster.Samples[int32](t, band))
	case raster.Uint64:
		return expression.Samples[uint64](raster.Samples[uint64](t, band))
	case raster.Int64:
		return expression.Samples[int64](raster.Samples[int64](t, band))
	case raster.Float32:
		return expression.Samples[float32](raster.Samples[float32](t, band))
	default:
		return expression.Samples[float64](raster.Samples[float64](t, band))
	}
}

// resultIn returns a band of a buffer and its validity as the output of an expression.
func resultIn(b *raster.Buffer, band int, validity []uint8) expression.Result {
	if b.Type() == raster.Float32 {
		return &expression.Values[float32]{Values: raster.Writable[float32](b, band), Validity: validity}
	}
	return &expression.Values[float64]{Values: raster.Writable[float64](b, band), Validity: validity}
}
