package display

import (
	"math"

	"tileserver/raster"
)

// midGray is what a band becomes in which all samples are alike.
const midGray = 127

// quantizer makes the samples of a band of a tile into grays. It is shared by all that
// render, and never written.
type quantizer interface {
	// quantize returns the grays of a band: in scratch, which is as long as the band has
	// pixels, or in the tile itself where it holds them already.
	quantize(t raster.Tile, band int, scratch []uint8) []uint8
}

// newQuantizer is the quantizer of samples of a type between black, the low limit, and
// white, which is below black in inverted bands. Samples of up to 16 bits are looked up, so
// that what is computed for them costs nothing.
func newQuantizer(t raster.DataType, limits Range, bend curve) quantizer {
	switch t {
	case raster.Uint8:
		if limits == asStored && bend == nil {
			return asIs{}
		}
		return newByteTable(limits, bend, func(bits uint8) float64 { return float64(bits) })
	case raster.Int8:
		return newByteTable(limits, bend, func(bits uint8) float64 { return float64(int8(bits)) })
	case raster.Uint16:
		return newWordTable[uint16](limits, bend)
	case raster.Int16:
		return newWordTable[int16](limits, bend)
	case raster.Uint32:
		return newCalculated[uint32](limits, bend)
	case raster.Int32:
		return newCalculated[int32](limits, bend)
	case raster.Uint64:
		return newCalculated[uint64](limits, bend)
	case raster.Int64:
		return newCalculated[int64](limits, bend)
	case raster.Float32:
		return newCalculated[float32](limits, bend)
	default:
		return newCalculated[float64](limits, bend)
	}
}

// asIs leaves samples as they are stored.
type asIs struct{}

func (asIs) quantize(t raster.Tile, band int, _ []uint8) []uint8 { return t.Plane(band) }

// scale is the straight line from black to white.
type scale struct{ low, factor, offset float64 }

// newScale adds a half to every gray, for the sake of rounding.
func newScale(limits Range) scale {
	if limits.Low == limits.High {
		return scale{limits.Low, 0, midGray + 0.5}
	}
	return scale{limits.Low, math.MaxUint8 / (limits.High - limits.Low), 0.5}
}

// gray is the gray of v. The product is rounded before the sum: a machine that can do both
// at once would else make other pictures than one that cannot. NaN is black.
//
// The cut is made on the bits, in which floats of one sign are in order and negative ones
// are negative: comparing the floats themselves would cost a branch, which is guessed wrong
// in about every second pixel of an image that reaches beyond white.
func (s scale) gray(v float64) uint8 {
	gray := float64((v-s.low)*s.factor) + s.offset
	if gray != gray {
		gray = 0
	}
	bits := min(max(int64(math.Float64bits(gray)), 0), whiteBits)
	return uint8(int32(math.Float64frombits(uint64(bits))))
}

// whiteBits are the bits of 255.0.
const whiteBits = 0x406fe00000000000

func newCalculated[T raster.Sample](limits Range, bend curve) quantizer {
	if bend == nil {
		return linear[T]{newScale(limits)}
	}
	return newBent[T](limits, bend)
}

// linear computes the gray of each sample.
type linear[T raster.Sample] struct{ scale }

func (q linear[T]) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := raster.Samples[T](t, band)
	scratch = scratch[:len(samples)]
	low, factor, offset := q.low, q.factor, q.offset // in registers
	for i, v := range samples {
		scratch[i] = scale{low, factor, offset}.gray(float64(v))
	}
	return scratch
}
