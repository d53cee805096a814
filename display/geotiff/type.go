package geotiff

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"tileserver/encode/tag"
)

// Type is the type of a sample.
type Type uint8

// The types. The zero value is invalid. Complex numbers have the real part first.
const (
	Uint8 Type = iota + 1
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Uint64
	Int64
	Float32
	Float64
	ComplexInt16
	ComplexInt32
	Complex64
	Complex128
)

var types = [...]struct {
	name      string
	size      int // bytes
	partBytes int // of one number of a complex sample
	format    uint16
}{
	Uint8: {"uint8", 1, 1, tag.SampleUnsigned}, Int8: {"int8", 1, 1, tag.SampleSigned},
	Uint16: {"uint16", 2, 2, tag.SampleUnsigned}, Int16: {"int16", 2, 2, tag.SampleSigned},
	Uint32: {"uint32", 4, 4, tag.SampleUnsigned}, Int32: {"int32", 4, 4, tag.SampleSigned},
	Uint64: {"uint64", 8, 8, tag.SampleUnsigned}, Int64: {"int64", 8, 8, tag.SampleSigned},
	Float32: {"float32", 4, 4, tag.SampleFloat}, Float64: {"float64", 8, 8, tag.SampleFloat},
	ComplexInt16: {"complex_int16", 4, 2, tag.SampleComplexInteger}, ComplexInt32: {"complex_int32", 8, 4, tag.SampleComplexInteger},
	Complex64: {"complex64", 8, 4, tag.SampleComplexFloat}, Complex128: {"complex128", 16, 8, tag.SampleComplexFloat},
}

// Size returns the bytes of a sample, or 0 for an invalid type.
func (t Type) Size() int {
	if int(t) >= len(types) {
		return 0
	}
	return types[t].size
}

// String returns the name of the type in lower case.
func (t Type) String() string {
	if t.Size() == 0 {
		return fmt.Sprintf("type(%d)", uint8(t))
	}
	return types[t].name
}

// hasAlpha reports whether readers know the scale of an alpha of this type.
func (t Type) hasAlpha() bool { return t == Uint8 || t == Uint16 }

func (t Type) isFloat() bool {
	return types[t].format == tag.SampleFloat || types[t].format == tag.SampleComplexFloat
}

// holds reports whether the type can represent value, with rounding only for floats.
func (t Type) holds(value float64) bool {
	if t.isFloat() {
		return types[t].partBytes == 8 || math.IsInf(value, 0) || !math.IsInf(float64(float32(value)), 0)
	}
	bits := 8 * types[t].partBytes
	low, end := 0.0, math.Ldexp(1, bits)
	if types[t].format != tag.SampleUnsigned {
		low, end = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	return value == math.Trunc(value) && value >= low && value < end
}

// sample returns value as a sample, in the first Size bytes of the result. The type must hold
// value. The imaginary part of a complex number is zero.
func (t Type) sample(value float64) (sample [16]byte) {
	switch {
	case t.isFloat() && types[t].partBytes == 4:
		binary.LittleEndian.PutUint32(sample[:], math.Float32bits(float32(value)))
	case t.isFloat():
		binary.LittleEndian.PutUint64(sample[:], math.Float64bits(value))
	case types[t].format == tag.SampleUnsigned:
		binary.LittleEndian.PutUint64(sample[:], uint64(value))
	default:
		binary.LittleEndian.PutUint64(sample[:], uint64(int64(value)))
		clear(sample[types[t].partBytes:])
	}
	return sample
}

// appendNumber appends value as text that parses to the same sample. The type must hold value.
func (t Type) appendNumber(text []byte, value float64) []byte {
	switch {
	case math.IsNaN(value):
		return append(text, "nan"...)
	case math.IsInf(value, 1):
		return append(text, "inf"...)
	case math.IsInf(value, -1):
		return append(text, "-inf"...)
	case t.isFloat() && types[t].partBytes == 4:
		return strconv.AppendFloat(text, float64(float32(value)), 'g', -1, 64)
	case t.isFloat():
		return strconv.AppendFloat(text, value, 'g', -1, 64)
	case types[t].format == tag.SampleUnsigned:
		return strconv.AppendUint(text, uint64(value), 10)
	}
	return strconv.AppendInt(text, int64(value), 10)
}
