package raster

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
)

// The bounds of coverage.
const (
	Invalid = 0
	Valid   = 255
)

func allValid(plane []uint8) bool {
	for len(plane) >= 8 {
		if binary.LittleEndian.Uint64(plane) != math.MaxUint64 {
			return false
		}
		plane = plane[8:]
	}
	for _, v := range plane {
		if v != Valid {
			return false
		}
	}
	return true
}

// MaskValue marks the pixels of a band that hold value as invalid, and NaN in a float band. It
// allocates no coverage if no pixel matches.
func (b *Buffer) MaskValue(band int, value float64, hasValue bool) {
	if plane := b.p.masked(band, value, hasValue); plane != nil {
		copy(b.OwnValidity(band), plane)
	}
}

// MaskedValidity returns the coverage of a band of t with the pixels that hold value marked
// invalid. It returns nil if all pixels are valid.
func MaskedValidity(t Tile, band int, value float64) []uint8 {
	if plane := t.p.masked(band, value, true); plane != nil {
		return plane
	}
	return bytes.Clone(t.Validity(band))
}

// masked returns a copy of the coverage of a band with the pixels that hold value or NaN marked
// invalid. It returns nil if no pixel matches.
func (p *pixels) masked(band int, value float64, hasValue bool) []uint8 {
	switch p.dataType {
	case Uint8:
		return masked[uint8](p, band, value, hasValue)
	case Int8:
		return masked[int8](p, band, value, hasValue)
	case Uint16:
		return masked[uint16](p, band, value, hasValue)
	case Int16:
		return masked[int16](p, band, value, hasValue)
	case Uint32:
		return masked[uint32](p, band, value, hasValue)
	case Int32:
		return masked[int32](p, band, value, hasValue)
	case Uint64:
		return masked[uint64](p, band, value, hasValue)
	case Int64:
		return masked[int64](p, band, value, hasValue)
	case Float32:
		return masked[float32](p, band, value, hasValue)
	case Float64:
		return masked[float64](p, band, value, hasValue)
	default:
		return p.maskedComplex(band, value, hasValue)
	}
}

func masked[T Sample](p *pixels, band int, value float64, hasValue bool) []uint8 {
	want, representable := fromFloat[T](value)
	mayMatch := hasValue && representable
	samples := samplesOf[T](p, band)
	if !p.dataType.IsFloat() && !(mayMatch && slices.Contains(samples, want)) {
		return nil // the usual case, for which Contains is faster than the loop below
	}
	var plane []uint8
	for i, v := range samples {
		if (mayMatch && v == want) || v != v {
			if plane == nil {
				plane = p.copyOfValidity(band)
			}
			plane[i] = Invalid
		}
	}
	return plane
}

func (p *pixels) copyOfValidity(band int) []uint8 {
	if plane := p.validityOf(band); plane != nil {
		return bytes.Clone(plane)
	}
	return bytes.Repeat([]byte{Valid}, p.width*p.height)
}

// fromFloat converts value to T and reports whether T can hold it: a nodata of -9999 matches no
// unsigned sample. A float32 takes the nearest value, because files write nodata in decimal.
func fromFloat[T Sample](value float64) (T, bool) {
	t := TypeOf[T]()
	if t == Float32 || t == Float64 {
		return T(value), true
	}
	low, high := t.Limits()
	if value != math.Trunc(value) || value < low || value > high {
		return 0, false
	}
	if t == Uint64 && value >= math.MaxUint64 {
		maxUint64 := uint64(math.MaxUint64)
		return T(maxUint64), true
	}
	if t == Int64 && value >= math.MaxInt64 {
		maxInt64 := int64(math.MaxInt64)
		return T(maxInt64), true
	}
	return T(value), true
}

// Limits returns the smallest and largest finite samples of t, rounded to float64.
func (t DataType) Limits() (low, high float64) {
	switch t {
	case Uint8:
		return 0, math.MaxUint8
	case Int8:
		return math.MinInt8, math.MaxInt8
	case Uint16:
		return 0, math.MaxUint16
	case Int16:
		return math.MinInt16, math.MaxInt16
	case Uint32:
		return 0, math.MaxUint32
	case Int32:
		return math.MinInt32, math.MaxInt32
	case Uint64:
		return 0, math.MaxUint64
	case Int64:
		return math.MinInt64, math.MaxInt64
	case Float32:
		return -math.MaxFloat32, math.MaxFloat32
	default:
		return -math.MaxFloat64, math.MaxFloat64
	}
}

// Fill sets every sample of a band to value, rounded and clamped to the type.
func (b *Buffer) Fill(band int, value float64) {
	switch b.Type() {
	case Uint8:
		fill[uint8](b, band, value)
	case Int8:
		fill[int8](b, band, value)
	case Uint16:
		fill[uint16](b, band, value)
	case Int16:
		fill[int16](b, band, value)
	case Uint32:
		fill[uint32](b, band, value)
	case Int32:
		fill[int32](b, band, value)
	case Uint64:
		fill[uint64](b, band, value)
	case Int64:
		fill[int64](b, band, value)
	case Float32:
		fill[float32](b, band, value)
	case Float64:
		fill[float64](b, band, value)
	default:
		b.fillComplex(band, value)
	}
}

func fill[T Sample](b *Buffer, band int, value float64) {
	sample := Clamp[T](value)
	samples := Writable[T](b, band)
	for i := range samples {
		samples[i] = sample
	}
}

// Clamp rounds value to the nearest representable T. NaN becomes 0 for integers.
func Clamp[T Sample](value float64) T {
	t := TypeOf[T]()
	if t.IsFloat() {
		return T(value)
	}
	low, high := t.Limits()
	v, ok := fromFloat[T](min(max(math.RoundToEven(value), low), high))
	if !ok {
		return 0
	}
	return v
}
