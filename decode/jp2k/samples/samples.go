// Package samples converts the values that the wavelets of JPEG 2000 leave into samples: it inverts
// the color transforms, shifts unsigned samples back to start at zero, and clamps samples to their
// bits. Package components calls it, row by row. The package must never know of wavelets,
// codestreams or color spaces.
package samples

import (
	"math"
	"unsafe"
)

// Sample is a type that samples are stored in.
type Sample interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64
}

// Value is a type that wavelets compute in.
type Value interface{ Integer | float32 }

// Integer is a type that the reversible wavelet computes in.
type Integer interface{ int16 | int32 | int64 }

// Depth is the range of the samples of a component.
type Depth struct {
	Bits   int // 1 to 38
	Signed bool
}

// middle returns half the range, and what to add to values. For values, zero is in the middle of
// the range.
func (d Depth) middle() (half, shift int64) {
	half = 1 << (min(max(d.Bits, 1), 62) - 1)
	if d.Signed {
		return half, 0
	}
	return half, half
}

// Store converts values to samples. It rounds to the nearest integer, half to even, clamps to the
// bits, and adds half the range to unsigned samples. It converts as many values as both slices
// have. T must have room for the bits.
func Store[T Sample, V Value](to []T, from []V, depth Depth) {
	count := min(len(to), len(from))
	if count == 0 {
		return
	}
	to, from = to[:count], from[:count]
	if storeVectors(to, from, depth) {
		return
	}
	storeInGo(to, from, depth)
}

func storeInGo[T Sample, V Value](to []T, from []V, depth Depth) {
	half, shift := depth.middle()
	switch from := any(from).(type) {
	case []int16:
		storeIntegers(to, from, half, shift)
	case []int32:
		storeIntegers(to, from, half, shift)
	case []int64:
		storeIntegers(to, from, half, shift)
	case []float32:
		storeFloats(to, from, half, shift)
	}
}

func storeIntegers[T Sample, V Integer](to []T, from []V, half, shift int64) {
	for i, v := range from {
		to[i] = T(min(max(int64(v), -half), half-1) + shift)
	}
}

// NaN becomes the lowest sample, like any value below it.
func storeFloats[T Sample](to []T, from []float32, half, shift int64) {
	minValue, maxValue := float64(-half), float64(half-1)
	for i, v := range from {
		f := float64(v)
		if !(f > minValue) {
			f = minValue
		}
		to[i] = T(int64(math.RoundToEven(min(f, maxValue))) + shift)
	}
}

// sizeOf returns the size of a sample or a value in bytes.
func sizeOf[N Sample | Value]() int {
	var n N
	return int(unsafe.Sizeof(n))
}
