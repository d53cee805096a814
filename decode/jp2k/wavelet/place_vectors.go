//go:build (amd64 || arm64) && !purego

package wavelet

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// widenInAssembly converts int16 to int32.
//
//go:noescape
func widenInAssembly(to, from unsafe.Pointer, count int)

// scale8InAssembly, scale16InAssembly and scale32InAssembly convert int8, int16 and int32 to float32 and
// multiply by one.
//
//go:noescape
func scale8InAssembly(to, from unsafe.Pointer, count int, one float32)

//go:noescape
func scale16InAssembly(to, from unsafe.Pointer, count int, one float32)

//go:noescape
func scale32InAssembly(to, from unsafe.Pointer, count int, one float32)

// halve32InAssembly and halve16InAssembly halve int32 towards zero, into int32 and int16.
//
//go:noescape
func halve32InAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func halve16InAssembly(to, from unsafe.Pointer, count int)

// halveShortsInAssembly halves int16 towards zero.
//
//go:noescape
func halveShortsInAssembly(to, from unsafe.Pointer, count int)

// narrowShortsInAssembly converts int16 to int8, without saturation.
//
//go:noescape
func narrowShortsInAssembly(to, from unsafe.Pointer, count int)

// narrow8InAssembly and narrow16InAssembly convert int32 to int8 and int16, without saturation.
//
//go:noescape
func narrow8InAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func narrow16InAssembly(to, from unsafe.Pointer, count int)

// maxMagnitudeInAssembly is maxMagnitudeInGo.
//
//go:noescape
func maxMagnitudeInAssembly(from unsafe.Pointer, count int) int

// sizeOf returns the size of a number in bytes.
func sizeOf[N Number | Coefficient]() int {
	var n N
	return int(unsafe.Sizeof(n))
}

// placeVectors does all of placeRow or nothing. It reports which.
func placeVectors[C Coefficient, T Number](to []T, from []C, one T) bool {
	count, size := len(to), sizeOf[C]()
	if !cpu.Has.Vectors() || count < vectorSamples || len(from) < count || sizeOf[T]() != 4 || size > 4 {
		return false
	}
	begin, source := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	factor, isFloat := any(one).(float32)
	switch {
	case isFloat && size == 1:
		scale8InAssembly(begin, source, count, factor)
	case isFloat && size == 2:
		scale16InAssembly(begin, source, count, factor)
	case isFloat:
		scale32InAssembly(begin, source, count, factor)
	case size == 2 && one == 1:
		widenInAssembly(begin, source, count)
	default:
		return false
	}
	return true
}

// narrowVectors does all of Halve or Narrow, or nothing. It reports which.
func narrowVectors[C Coefficient, D FixedPoint](to []C, from []D, halved bool) bool {
	count, size, sourceSize := len(to), sizeOf[C](), sizeOf[D]()
	if !cpu.Has.Vectors() || count < 2*vectorSamples || len(from) < count || sourceSize > 4 {
		return false
	}
	begin, source := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	switch {
	case sourceSize == 2 && size == 2 && halved:
		halveShortsInAssembly(begin, source, count)
	case sourceSize == 2 && size == 1 && !halved && count >= 4*vectorSamples:
		narrowShortsInAssembly(begin, source, count)
	case sourceSize == 2:
		return false
	case size == 1 && !halved && count >= 4*vectorSamples:
		narrow8InAssembly(begin, source, count)
	case size == 2 && halved:
		halve16InAssembly(begin, source, count)
	case size == 2:
		narrow16InAssembly(begin, source, count)
	case size == 4 && halved:
		halve32InAssembly(begin, source, count)
	default:
		return false
	}
	return true
}

// maxMagnitudeVectors does all of MaxMagnitude or nothing.
func maxMagnitudeVectors(coefficients []int16) (magnitude int, isDone bool) {
	count := len(coefficients)
	if !cpu.Has.Vectors() || count < 2*vectorSamples {
		return 0, false
	}
	return maxMagnitudeInAssembly(unsafe.Pointer(&coefficients[0]), count), true
}
