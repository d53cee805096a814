package npy

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Type is the type of a sample.
type Type uint8

// The types. The zero value is invalid. Complex numbers are floats with the real part first.
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
	Complex64
	Complex128
)

// types holds the name of each type in the header, and the bytes of a sample.
var types = [...]struct {
	description string
	size        int
}{
	Uint8: {"|u1", 1}, Int8: {"|i1", 1},
	Uint16: {"<u2", 2}, Int16: {"<i2", 2},
	Uint32: {"<u4", 4}, Int32: {"<i4", 4},
	Uint64: {"<u8", 8}, Int64: {"<i8", 8},
	Float32: {"<f4", 4}, Float64: {"<f8", 8},
	Complex64: {"<c8", 8}, Complex128: {"<c16", 16},
}

// Size returns the bytes of a sample, or 0 for an invalid type.
func (t Type) Size() int {
	if int(t) >= len(types) {
		return 0
	}
	return types[t].size
}

// String returns the name of the type in NumPy.
func (t Type) String() string {
	if t.Size() == 0 {
		return fmt.Sprintf("type(%d)", uint8(t))
	}
	return types[t].description
}

// holds reports whether the type can represent value, with rounding only for floats.
func (t Type) holds(value float64) bool {
	switch t {
	case Float32, Complex64:
		return math.IsInf(value, 0) || !math.IsInf(float64(float32(value)), 0)
	case Float64, Complex128:
		return true
	}
	bits := 8 * t.Size()
	low, end := 0.0, math.Ldexp(1, bits)
	if t.isSigned() {
		low, end = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	}
	return value == math.Trunc(value) && value >= low && value < end
}

func (t Type) isSigned() bool { return t == Int8 || t == Int16 || t == Int32 || t == Int64 }

// sample returns value as a sample, in the first Size bytes of the result. The type must hold
// value. The imaginary part of a complex number is zero.
func (t Type) sample(value float64) (bytes [16]byte) {
	switch {
	case t == Float32 || t == Complex64:
		binary.LittleEndian.PutUint32(bytes[:], math.Float32bits(float32(value)))
	case t == Float64 || t == Complex128:
		binary.LittleEndian.PutUint64(bytes[:], math.Float64bits(value))
	case t.isSigned():
		binary.LittleEndian.PutUint64(bytes[:], uint64(int64(value)))
	default:
		binary.LittleEndian.PutUint64(bytes[:], uint64(value))
	}
	return bytes
}
