//go:build !purego

package wavelet

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// widenAVX2 converts int16 to int32.
//
//go:noescape
func widenAVX2(to, from unsafe.Pointer, count int)

// scale16AVX2 and scale32AVX2 convert int16 and int32 to float32 and multiply by one.
//
//go:noescape
func scale16AVX2(to, from unsafe.Pointer, count int, one float32)

//go:noescape
func scale32AVX2(to, from unsafe.Pointer, count int, one float32)

// halve32AVX2 and halve16AVX2 halve int32 towards zero, into int32 and int16.
//
//go:noescape
func halve32AVX2(to, from unsafe.Pointer, count int)

//go:noescape
func halve16AVX2(to, from unsafe.Pointer, count int)

// narrowAVX2 converts int32 to int16, without saturation.
//
//go:noescape
func narrowAVX2(to, from unsafe.Pointer, count int)

// sizeOf returns the size of a number in bytes.
func sizeOf[N Number | Coefficient]() int {
	var n N
	return int(unsafe.Sizeof(n))
}

// placeVectors does all of placeRow or nothing. It reports which.
func placeVectors[C Coefficient, T Number](to []T, from []C, one T) bool {
	count, size := len(to), sizeOf[C]()
	if !cpu.Has.AVX2 || count < vectorSamples || len(from) < count || sizeOf[T]() != 4 || size > 4 {
		return false
	}
	begin, source := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	factor, isFloat := any(one).(float32)
	switch {
	case isFloat && size == 2:
		scale16AVX2(begin, source, count, factor)
	case isFloat:
		scale32AVX2(begin, source, count, factor)
	case size == 2 && one == 1:
		widenAVX2(begin, source, count)
	default:
		return false
	}
	return true
}

// narrowVectors does all of Halve or Narrow, or nothing. It reports which.
func narrowVectors[C Coefficient, D FixedPoint](to []C, from []D, halved bool) bool {
	count, size := len(to), sizeOf[C]()
	if !cpu.Has.AVX2 || count < 2*vectorSamples || len(from) < count || sizeOf[D]() != 4 {
		return false
	}
	begin, source := unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])
	switch {
	case size == 2 && halved:
		halve16AVX2(begin, source, count)
	case size == 2:
		narrowAVX2(begin, source, count)
	case size == 4 && halved:
		halve32AVX2(begin, source, count)
	default:
		return false
	}
	return true
}
