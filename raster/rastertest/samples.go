package rastertest

import "tileserver/raster"

// writer returns a function that writes samples of a band of b, whatever its type.
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

// writerOf converts values as raster.Clamp does. Most values are valid samples already, and tests
// write millions of them, so that case is fast.
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
