//go:build !purego

package samples

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// The assembly checks no bounds; its callers do.

// limits holds the bounds of values, and what is added to them.
type limits struct {
	minInt, maxInt     int32
	minFloat, maxFloat float32
	shift              int32
}

// floatBits is the maximum number of bits for which float32 holds the bounds exactly.
const floatBits = 24

// These routines store at least 32 bytes of samples. The last vector may overlap the one before it.

//go:noescape
func storeIntegers8AVX2(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeIntegers16AVX2(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeFloats8AVX2(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeFloats16AVX2(to, from unsafe.Pointer, count int, l *limits)

// storeVectors does all of Store or nothing. It reports which.
func storeVectors[T Sample, V Value](to []T, from []V, depth Depth) bool {
	size := sizeOf[T]()
	if !cpu.Has.AVX2 || size > 2 || sizeOf[V]() != 4 || depth.Bits > floatBits || len(to)*size < 32 || len(from) < len(to) {
		return false
	}
	half, shift := depth.middle()
	l := limits{int32(-half), int32(half - 1), float32(-half), float32(half - 1), int32(shift)}
	_, isFloat := any(from).([]float32)
	begin, values := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	switch {
	case isFloat && size == 1:
		storeFloats8AVX2(begin, values, len(to), &l)
	case isFloat:
		storeFloats16AVX2(begin, values, len(to), &l)
	case size == 1:
		storeIntegers8AVX2(begin, values, len(to), &l)
	default:
		storeIntegers16AVX2(begin, values, len(to), &l)
	}
	return true
}

// vectorSamples is the number of values in a register.
const vectorSamples = 8

// reversibleAVX2 is reversibleInGo for whole vectors.
//
//go:noescape
func reversibleAVX2(first, second, third unsafe.Pointer, vectors int)

// irreversibleAVX2 is irreversibleInGo for whole vectors.
//
//go:noescape
func irreversibleAVX2(first, second, third *float32, vectors int)

func reversibleVectors[V int32 | int64](first, second, third []V) int {
	vectors := min(len(first), len(second), len(third)) / vectorSamples
	if !cpu.Has.AVX2 || sizeOf[V]() != 4 || vectors == 0 {
		return 0
	}
	reversibleAVX2(unsafe.Pointer(&first[0]), unsafe.Pointer(&second[0]), unsafe.Pointer(&third[0]), vectors)
	return vectors * vectorSamples
}

func irreversibleVectors(first, second, third []float32) int {
	vectors := min(len(first), len(second), len(third)) / vectorSamples
	if !cpu.Has.AVX2 || vectors == 0 {
		return 0
	}
	irreversibleAVX2(&first[0], &second[0], &third[0], vectors)
	return vectors * vectorSamples
}
