package tifftest

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The numbers of the tags that this package writes.
const (
	tagNewSubfileType   = 254
	tagImageWidth       = 256
	tagImageLength      = 257
	tagBitsPerSample    = 258
	tagCompression      = 259
	tagPhotometric      = 262
	tagFillOrder        = 266
	tagStripOffsets     = 273
	tagSamplesPerPixel  = 277
	tagRowsPerStrip     = 278
	tagStripByteCounts  = 279
	tagPlanarConfig     = 284
	tagPredictor        = 317
	tagColorMap         = 320
	tagTileWidth        = 322
	tagTileLength       = 323
	tagTileOffsets      = 324
	tagTileByteCounts   = 325
	tagSubIFDs          = 330
	tagExtraSamples     = 338
	tagSampleFormat     = 339
	tagJPEGTables       = 347
	tagYCbCrSubsampling = 530
	tagModelPixelScale  = 33550
	tagModelTiepoint    = 33922
	tagGeoKeyDirectory  = 34735
	tagGDALNoData       = 42113
)

// The types of values.
const (
	typeASCII     = 2
	typeShort     = 3
	typeLong      = 4
	typeRational  = 5
	typeUndefined = 7
	typeDouble    = 12
	typeIFD       = 13
	typeLong8     = 16
	typeIFD8      = 18
)

// Tag is one entry of a directory.
type Tag struct {
	ID uint16
	// Value determines the type of the entry: string (ASCII; a NUL is added), []byte (UNDEFINED),
	// []uint16, []uint32, []uint64 or []float64. A []Tag is written as a directory outside the chain,
	// to which the entry points.
	Value any
	// Type overrides the type that Value determines, unless it is 0. A Rational has two numbers.
	Type uint16
}

// encoded returns the type, the count and the bytes of the value.
func (t Tag) encoded(order binary.ByteOrder) (fieldType uint16, count int, value []byte, err error) {
	switch v := t.Value.(type) {
	case string:
		value = append([]byte(v), 0)
		fieldType, count = typeASCII, len(value)
	case []byte:
		fieldType, count, value = typeUndefined, len(v), v
	case []uint16:
		fieldType, count = typeShort, len(v)
		for _, number := range v {
			value = appendNumber(value, order, uint64(number), 2)
		}
	case []uint32:
		fieldType, count = typeLong, len(v)
		for _, number := range v {
			value = appendNumber(value, order, uint64(number), 4)
		}
	case []uint64:
		fieldType, count = typeLong8, len(v)
		for _, number := range v {
			value = appendNumber(value, order, number, 8)
		}
	case []float64:
		fieldType, count = typeDouble, len(v)
		for _, number := range v {
			value = appendNumber(value, order, math.Float64bits(number), 8)
		}
	default:
		return 0, 0, nil, fmt.Errorf("tag %d: a value of type %T", t.ID, t.Value)
	}
	if t.Type != 0 {
		fieldType = t.Type
	}
	if fieldType == typeRational {
		count /= 2
	}
	return fieldType, count, value, nil
}

// appendNumber appends the lowest size bytes of number.
func appendNumber(out []byte, order binary.ByteOrder, number uint64, size int) []byte {
	isBig := order == binary.ByteOrder(binary.BigEndian)
	for i := range size { // the methods of order would allocate for each number
		if isBig {
			i = size - 1 - i
		}
		out = append(out, byte(number>>(8*i)))
	}
	return out
}
