//go:build (amd64 || arm64) && !purego

package samples

import (
	"math"
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

// set sets the limits one by one, each as the assembly reads it. Were they copied all at once, the copy
// would wait until all stores before it, of samples, have left the processor.
func (l *limits) set(depth Depth, isShort bool) {
	half, shift := depth.middle()
	lowest, highest := -half, half-1
	l.minFloat, l.maxFloat, l.shift = float32(lowest), float32(highest), int32(shift)
	if isShort { // which has no values beyond
		lowest, highest = max(lowest, math.MinInt16), min(highest, math.MaxInt16)
	}
	l.minInt, l.maxInt = int32(lowest), int32(highest)
}

// floatBits is the maximum number of bits for which float32 holds the bounds exactly.
const floatBits = 24

// These routines store at least 32 bytes of samples. The last vector may overlap the one before it.

//go:noescape
func storeIntegers8InAssembly(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeIntegers16InAssembly(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeShorts8InAssembly(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeShorts16InAssembly(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeFloats8InAssembly(to, from unsafe.Pointer, count int, l *limits)

//go:noescape
func storeFloats16InAssembly(to, from unsafe.Pointer, count int, l *limits)

// storeVectors does all of Store or nothing. It reports which.
func storeVectors[T Sample, V Value](to []T, from []V, depth Depth) bool {
	size, isShort := sizeOf[T](), sizeOf[V]() == 2
	if !cpu.Has.Vectors() || size > 2 || sizeOf[V]() > 4 || depth.Bits > floatBits || len(to)*size < 32 || len(from) < len(to) {
		return false
	}
	var l limits
	l.set(depth, isShort)
	_, isFloat := any(from).([]float32)
	begin, values := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	switch {
	case isShort && size == 1:
		storeShorts8InAssembly(begin, values, len(to), &l)
	case isShort:
		storeShorts16InAssembly(begin, values, len(to), &l)
	case isFloat && size == 1:
		storeFloats8InAssembly(begin, values, len(to), &l)
	case isFloat:
		storeFloats16InAssembly(begin, values, len(to), &l)
	case size == 1:
		storeIntegers8InAssembly(begin, values, len(to), &l)
	default:
		storeIntegers16InAssembly(begin, values, len(to), &l)
	}
	return true
}

// vectorBytes is the size of the values that a step of the color transforms computes.
const vectorBytes = 32

// reversibleWords and reversibleShorts are reversibleInGo for whole vectors, of int32 and int16.
//
//go:noescape
func reversibleWords(first, second, third unsafe.Pointer, vectors int)

//go:noescape
func reversibleShorts(first, second, third unsafe.Pointer, vectors int)

// irreversibleInAssembly is irreversibleInGo for whole vectors.
//
//go:noescape
func irreversibleInAssembly(first, second, third *float32, vectors int)

func reversibleVectors[V Integer](first, second, third []V) int {
	lanes := vectorBytes / sizeOf[V]()
	vectors := min(len(first), len(second), len(third)) / lanes
	if !cpu.Has.Vectors() || sizeOf[V]() > 4 || vectors == 0 {
		return 0
	}
	transform := reversibleWords
	if sizeOf[V]() == 2 {
		transform = reversibleShorts
	}
	transform(unsafe.Pointer(&first[0]), unsafe.Pointer(&second[0]), unsafe.Pointer(&third[0]), vectors)
	return vectors * lanes
}

func irreversibleVectors(first, second, third []float32) int {
	const lanes = vectorBytes / 4
	vectors := min(len(first), len(second), len(third)) / lanes
	if !cpu.Has.Vectors() || vectors == 0 {
		return 0
	}
	irreversibleInAssembly(&first[0], &second[0], &third[0], vectors)
	return vectors * lanes
}
