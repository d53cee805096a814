package raster

import "fmt"

// Samples returns the samples of a band of a tile, row by row. The caller must not write them. T
// must be the tile's type.
func Samples[T Sample](t Tile, band int) []T { return samplesOf[T](t.p, band) }

// Writable returns the samples of a band of a buffer, row by row. T must be the buffer's type.
func Writable[T Sample](b *Buffer, band int) []T { return samplesOf[T](b.p, band) }

func samplesOf[T Sample](p *pixels, band int) []T {
	if TypeOf[T]() != p.dataType {
		panic(fmt.Sprintf("raster: %v samples seen as %v", p.dataType, TypeOf[T]()))
	}
	return numbersOf[T](p, band)
}

// At returns one sample of any type and its coverage; for a complex sample, its magnitude. It is
// meant for single pixels, not for loops.
func (t Tile) At(band, x, y int) (value float64, coverage uint8) {
	at := y*t.Width() + x
	coverage = Valid
	if v := t.Validity(band); v != nil {
		coverage = v[at]
	}
	switch t.Type() {
	case Uint8:
		return float64(Samples[uint8](t, band)[at]), coverage
	case Int8:
		return float64(Samples[int8](t, band)[at]), coverage
	case Uint16:
		return float64(Samples[uint16](t, band)[at]), coverage
	case Int16:
		return float64(Samples[int16](t, band)[at]), coverage
	case Uint32:
		return float64(Samples[uint32](t, band)[at]), coverage
	case Int32:
		return float64(Samples[int32](t, band)[at]), coverage
	case Uint64:
		return float64(Samples[uint64](t, band)[at]), coverage
	case Int64:
		return float64(Samples[int64](t, band)[at]), coverage
	case Float32:
		return float64(Samples[float32](t, band)[at]), coverage
	case Float64:
		return Samples[float64](t, band)[at], coverage
	default:
		return t.p.magnitude(band, at), coverage
	}
}
