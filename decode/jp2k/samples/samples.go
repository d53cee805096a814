// Package samples makes samples of what the wavelets of JPEG 2000 leave: it undoes the transforms of colours, puts unsigned
// samples back to where they begin at zero, and keeps all within their bits. It knows nothing of wavelets, codestreams
// and of what a colour space is.
package samples

import (
	"math"
	"unsafe"
)

// Sample is a type that samples are stored as.
type Sample interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64
}

// Value is what wavelets calculate with.
type Value interface{ int32 | int64 | float32 }

// Depth is the range of the samples of a component.
type Depth struct {
	Bits   int // 1 to 38
	Signed bool
}

// middle is half the range, and what is added to values, for which zero is in the middle of it.
func (d Depth) middle() (half, shift int64) {
	half = 1 << (min(max(d.Bits, 1), 62) - 1)
	if d.Signed {
		return half, 0
	}
	return half, half
}

// Store makes samples of values: it rounds to the nearest, and to the even one between two, keeps what the bits can hold,
// and adds half the range of unsigned ones. It makes as many as both rows have. The type must have room for the bits.
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
	case []int32:
		storeIntegers(to, from, half, shift)
	case []int64:
		storeIntegers(to, from, half, shift)
	case []float32:
		storeFloats(to, from, half, shift)
	}
}

func storeIntegers[T Sample, V int32 | int64](to []T, from []V, half, shift int64) {
	for i, v := range from {
		to[i] = T(min(max(int64(v), -half), half-1) + shift)
	}
}

// What is not a number becomes the least sample, as what is less than it.
func storeFloats[T Sample](to []T, from []float32, half, shift int64) {
	least, most := float64(-half), float64(half-1)
	for i, v := range from {
		f := float64(v)
		if !(f > least) {
			f = least
		}
		to[i] = T(int64(math.RoundToEven(min(f, most))) + shift)
	}
}

// sizeOf is the bytes of a sample or a value.
func sizeOf[N Sample | Value]() int {
	var n N
	return int(unsafe.Sizeof(n))
}
