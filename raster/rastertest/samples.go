package rastertest

import "tileserver/raster"

// writer returns what writes samples of a band of b, whatever its type.
func writer(b *raster.Buffer, band int) func(at int, value float64) {
	switch b.Type() {
	case raster.Uint8:
		return writerOf[uint8](b, band)
	case raster.Int8:
		return writerOf[int8](b, band)
	case raster.Uint16:
		return writerOf[uint16](b, band)
	case raster.Int16:
		return writerOf[int16](b, band)
	case raster.Uint32:
		return writerOf[uint32](b, band)
	case raster.Int32:
		return writerOf[int32](b, band)
	case raster.Uint64:
		return writerOf[uint64](b, band)
	case raster.Int64:
		return writerOf[int64](b, band)
	case raster.Float32:
		return writerOf[float32](b, band)
	case raster.Float64:
		return writerOf[float64](b, band)
	}
	return func(int, float64) {} // complex samples stay zero
}

// writerOf writes what raster.Clamp makes of values. Most are samples as they are, and tests write
// millions of them.
func writerOf[T raster.Sample](b *raster.Buffer, band int) func(at int, value float64) {
	samples := raster.Writable[T](b, band)
	return func(at int, value float64) {
		sample := T(value)
		if float64(sample) != value {
			sample = raster.Clamp[T](value)
		}
		samples[at] = sample
	}
}
