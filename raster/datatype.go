package raster

import "fmt"

// DataType is the type of one sample.
type DataType uint8

// The sample types. The zero value is no valid type.
const (
	Unknown DataType = iota
	Uint8
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Uint64
	Int64
	Float32
	Float64

	// Complex types: the real part, then the imaginary part. No code calculates with complex
	// numbers; pictures show their magnitude.
	ComplexInt16
	ComplexInt32
	Complex64
	Complex128
)

var dataTypes = [...]struct {
	name string
	size int
}{
	Unknown: {"unknown", 0},
	Uint8:   {"uint8", 1},
	Int8:    {"int8", 1},
	Uint16:  {"uint16", 2},
	Int16:   {"int16", 2},
	Uint32:  {"uint32", 4},
	Int32:   {"int32", 4},
	Uint64:  {"uint64", 8},
	Int64:   {"int64", 8},
	Float32: {"float32", 4},
	Float64: {"float64", 8},

	ComplexInt16: {"complex_int16", 4},
	ComplexInt32: {"complex_int32", 8},
	Complex64:    {"complex64", 8},
	Complex128:   {"complex128", 16},
}

// Size returns the number of bytes of a sample.
func (t DataType) Size() int {
	if int(t) >= len(dataTypes) {
		return 0
	}
	return dataTypes[t].size
}

// IsFloat reports whether samples may be NaN or infinite.
func (t DataType) IsFloat() bool { return t == Float32 || t == Float64 }

// IsComplex reports whether a sample is a complex number.
func (t DataType) IsComplex() bool { return t.Part() != Unknown }

// Part returns the type of the real and imaginary parts of a complex type, or Unknown.
func (t DataType) Part() DataType {
	switch t {
	case ComplexInt16:
		return Int16
	case ComplexInt32:
		return Int32
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return Unknown
}

// String returns the numpy name of the type. The complex integers, which numpy lacks, have names of
// our own.
func (t DataType) String() string {
	if int(t) >= len(dataTypes) {
		return fmt.Sprintf("datatype(%d)", uint8(t))
	}
	return dataTypes[t].name
}

// Sample lists the Go types that correspond to a DataType. Complex types have none.
type Sample interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64
}

// TypeOf returns the DataType of a Go type.
func TypeOf[T Sample]() DataType {
	var zero T
	switch any(zero).(type) {
	case uint8:
		return Uint8
	case int8:
		return Int8
	case uint16:
		return Uint16
	case int16:
		return Int16
	case uint32:
		return Uint32
	case int32:
		return Int32
	case uint64:
		return Uint64
	case int64:
		return Int64
	case float32:
		return Float32
	default:
		return Float64
	}
}
