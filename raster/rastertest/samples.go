package rastertest

import "tileserver/raster"

// put writes one sample, whatever the buffer's type.
func put(b *raster.Buffer, band, at int, value float64) {
	switch b.Type() {
	case raster.Uint8:
		raster.Writable[uint8](b, band)[at] = raster.Clamp[uint8](value)
	case raster.Int8:
		raster.Writable[int8](b, band)[at] = raster.Clamp[int8](value)
	case raster.Uint16:
		raster.Writable[uint16](b, band)[at] = raster.Clamp[uint16](value)
	case raster.Int16:
		raster.Writable[int16](b, band)[at] = raster.Clamp[int16](value)
	case raster.Uint32:
		raster.Writable[uint32](b, band)[at] = raster.Clamp[uint32](value)
	case raster.Int32:
		raster.Writable[int32](b, band)[at] = raster.Clamp[int32](value)
	case raster.Uint64:
		raster.Writable[uint64](b, band)[at] = raster.Clamp[uint64](value)
	case raster.Int64:
		raster.Writable[int64](b, band)[at] = raster.Clamp[int64](value)
	case raster.Float32:
		raster.Writable[float32](b, band)[at] = float32(value)
	case raster.Float64:
		raster.Writable[float64](b, band)[at] = value
	}
}
