package ifd

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Type is the type of an entry's values.
type Type uint16

// The types of TIFF and BigTIFF.
const (
	Byte      Type = 1
	ASCII     Type = 2
	Short     Type = 3
	Long      Type = 4
	Rational  Type = 5
	SByte     Type = 6
	Undefined Type = 7
	SShort    Type = 8
	SLong     Type = 9
	SRational Type = 10
	Float     Type = 11
	Double    Type = 12
	IFD       Type = 13
	Long8     Type = 16
	SLong8    Type = 17
	IFD8      Type = 18
)

// Size returns the bytes of one value, or 0 for an unknown type.
func (t Type) Size() uint64 {
	switch t {
	case Byte, ASCII, SByte, Undefined:
		return 1
	case Short, SShort:
		return 2
	case Long, SLong, Float, IFD:
		return 4
	case Rational, SRational, Double, Long8, SLong8, IFD8:
		return 8
	}
	return 0
}

// IsUnsigned reports whether the values are unsigned integers.
func (t Type) IsUnsigned() bool {
	switch t {
	case Byte, Short, Long, IFD, Long8, IFD8:
		return true
	}
	return false
}

// Uint returns the i-th of values of an unsigned type, as stored.
func (t Type) Uint(values []byte, i int, order binary.ByteOrder) uint64 {
	size := int(t.Size())
	at := values[i*size:]
	switch size {
	case 1:
		return uint64(at[0])
	case 2:
		return uint64(order.Uint16(at))
	case 4:
		return uint64(order.Uint32(at))
	default:
		return order.Uint64(at)
	}
}

// Float returns the i-th of values as stored. Characters count as unsigned integers.
func (t Type) Float(values []byte, i int, order binary.ByteOrder) float64 {
	at := values[i*int(t.Size()):]
	switch t {
	case Float:
		return float64(math.Float32frombits(order.Uint32(at)))
	case Double:
		return math.Float64frombits(order.Uint64(at))
	case Rational:
		return float64(order.Uint32(at)) / float64(order.Uint32(at[4:]))
	case SRational:
		return float64(int32(order.Uint32(at))) / float64(int32(order.Uint32(at[4:])))
	case SByte:
		return float64(int8(at[0]))
	case SShort:
		return float64(int16(order.Uint16(at)))
	case SLong:
		return float64(int32(order.Uint32(at)))
	case SLong8:
		return float64(int64(order.Uint64(at)))
	default:
		return float64(t.Uint(values, i, order))
	}
}

// String returns the name of t in TIFF's specification, or its number.
func (t Type) String() string {
	names := [...]string{
		Byte: "Byte", ASCII: "ASCII", Short: "Short", Long: "Long", Rational: "Rational", SByte: "SByte", Undefined: "Undefined",
		SShort: "SShort", SLong: "SLong", SRational: "SRational", Float: "Float", Double: "Double", IFD: "IFD",
		Long8: "Long8", SLong8: "SLong8", IFD8: "IFD8",
	}
	if int(t) < len(names) && names[t] != "" {
		return names[t]
	}
	return fmt.Sprintf("type %d", uint16(t))
}
