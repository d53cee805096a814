package display

import (
	"math"

	"tileserver/raster"
)

// midGray is the gray of a band whose samples are all equal.
const midGray = 127

// A quantizer converts the samples of a band to grays. It is immutable and shared by all
// renderings.
type quantizer interface {
	// quantize returns the grays of a band. It writes them to scratch, which has one byte per
	// pixel, or returns the plane of the tile if that already holds the grays.
	quantize(t raster.Tile, band int, scratch []uint8) []uint8
}

// newQuantizer returns the quantizer of a data type that maps the low limit to black and the high
// limit to white. Inverted bands have the limits swapped. Samples of up to 16 bits use a table,
// so the cost of a curve does not matter for them.
func newQuantizer(t raster.DataType, limits Range, bend curve) quantizer {
	switch t {
	case raster.Uint8:
		if limits == byteRange && bend == nil {
			return identityQuantizer{}
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

// identityQuantizer returns the samples as they are stored.
type identityQuantizer struct{}

func (identityQuantizer) quantize(t raster.Tile, band int, _ []uint8) []uint8 { return t.Plane(band) }

// A scale is a linear mapping from samples to grays.
type scale struct{ low, factor, offset float64 }

// newScale returns the mapping of limits. The offset includes 0.5, so that truncation rounds.
func newScale(limits Range) scale {
	if limits.Low == limits.High {
		return scale{limits.Low, 0, midGray + 0.5}
	}
	return scale{limits.Low, math.MaxUint8 / (limits.High - limits.Low), 0.5}
}

// gray returns the gray of v. NaN is black. The product is rounded before the sum, so that
// processors with and without fused multiply-add render equal pictures.
//
// The result is clamped by comparing bits as integers: floats of one sign are ordered by their
// bits, and negative floats are negative integers. Comparing floats would cost a branch, which
// is mispredicted for about every second pixel of an image that reaches beyond white.
func (s scale) gray(v float64) uint8 {
	gray := float64((v-s.low)*s.factor) + s.offset
	if gray != gray {
		gray = 0
	}
	bits := min(max(int64(math.Float64bits(gray)), 0), whiteBits)
	return uint8(int32(math.Float64frombits(uint64(bits))))
}

// whiteBits is the bit pattern of 255.0.
const whiteBits = 0x406fe00000000000

func newCalculated[T raster.Sample](limits Range, bend curve) quantizer {
	if bend == nil {
		return linear[T]{newScale(limits)}
	}
	return newCurveTable[T](limits, bend)
}

// linear computes the gray of each sample.
type linear[T raster.Sample] struct{ scale }

func (q linear[T]) quantize(t raster.Tile, band int, scratch []uint8) []uint8 {
	samples := raster.Samples[T](t, band)
	scratch = scratch[:len(samples)]
	low, factor, offset := q.low, q.factor, q.offset // keeps them in registers
	for i, v := range samples {
		scratch[i] = scale{low, factor, offset}.gray(float64(v))
	}
	return scratch
}
