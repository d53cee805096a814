package tiff

import (
	"encoding/binary"
	"math"
	"strings"
)

// fieldType is the type of an entry's values.
type fieldType uint16

const (
	typeByte      fieldType = 1
	typeASCII     fieldType = 2
	typeShort     fieldType = 3
	typeLong      fieldType = 4
	typeRational  fieldType = 5
	typeSByte     fieldType = 6
	typeUndefined fieldType = 7
	typeSShort    fieldType = 8
	typeSLong     fieldType = 9
	typeSRational fieldType = 10
	typeFloat     fieldType = 11
	typeDouble    fieldType = 12
	typeIFD       fieldType = 13
	typeLong8     fieldType = 16
	typeSLong8    fieldType = 17
	typeIFD8      fieldType = 18
)

// size returns the bytes of one value, or 0 for an unknown type.
func (t fieldType) size() uint64 {
	switch t {
	case typeByte, typeASCII, typeSByte, typeUndefined:
		return 1
	case typeShort, typeSShort:
		return 2
	case typeLong, typeSLong, typeFloat, typeIFD:
		return 4
	case typeRational, typeSRational, typeDouble, typeLong8, typeSLong8, typeIFD8:
		return 8
	}
	return 0
}

// entry is one tag of a directory. Its values lie within the file.
type entry struct {
	tag    tag
	kind   fieldType
	count  uint64 // at least 1
	order  binary.ByteOrder
	offset int64  // of the values, if they are not in the entry itself
	value  []byte // nil until it is read
}

// bytes returns the size of the values.
func (e *entry) bytes() int64 { return int64(e.count * e.kind.size()) }

// uints returns the values of an entry of unsigned integers, or nil.
func (e *entry) uints() []uint64 {
	if e == nil || !e.kind.isUnsigned() {
		return nil
	}
	values := make([]uint64, len(e.value)/int(e.kind.size()))
	for i := range values {
		values[i] = uintAt(e.value, i, e.kind, e.order)
	}
	return values
}

func (t fieldType) isUnsigned() bool {
	switch t {
	case typeByte, typeShort, typeLong, typeIFD, typeLong8, typeIFD8:
		return true
	}
	return false
}

// uintAt returns the i-th of values of an unsigned type.
func uintAt(values []byte, i int, kind fieldType, order binary.ByteOrder) uint64 {
	at := values[i*int(kind.size()):]
	switch kind.size() {
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

// floats returns the values of an entry of any numeric type.
func (e *entry) floats() []float64 {
	if e == nil {
		return nil
	}
	values := make([]float64, len(e.value)/int(e.kind.size()))
	for i := range values {
		values[i] = e.floatAt(i)
	}
	return values
}

func (e *entry) floatAt(i int) float64 {
	at := e.value[i*int(e.kind.size()):]
	switch e.kind {
	case typeFloat:
		return float64(math.Float32frombits(e.order.Uint32(at)))
	case typeDouble:
		return math.Float64frombits(e.order.Uint64(at))
	case typeRational:
		return float64(e.order.Uint32(at)) / float64(e.order.Uint32(at[4:]))
	case typeSRational:
		return float64(int32(e.order.Uint32(at))) / float64(int32(e.order.Uint32(at[4:])))
	case typeSByte:
		return float64(int8(at[0]))
	case typeSShort:
		return float64(int16(e.order.Uint16(at)))
	case typeSLong:
		return float64(int32(e.order.Uint32(at)))
	case typeSLong8:
		return float64(int64(e.order.Uint64(at)))
	case typeASCII, typeUndefined:
		return float64(at[0])
	default:
		return float64(uintAt(e.value, i, e.kind, e.order))
	}
}

// text returns the value of an entry of characters, up to the first zero.
func (e *entry) text() string {
	if e == nil || e.kind.size() != 1 {
		return ""
	}
	text, _, _ := strings.Cut(string(e.value), "\x00")
	return text
}
