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

// widen8To16InAssembly and widen8To32InAssembly convert int8 to int16 and int32.
//
//go:noescape
func widen8To16InAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func widen8To32InAssembly(to, from unsafe.Pointer, count int)

// scale8InAssembly, scale16InAssembly and scale32InAssembly convert int8, int16 and int32 to float32 and
// multiply by one.
//
//go:noescape
func scale8InAssembly(to, from unsafe.Pointer, count int, one float32)

//go:noescape
func scale16InAssembly(to, from unsafe.Pointer, count int, one float32)

//go:noescape
func scale32InAssembly(to, from unsafe.Pointer, count int, one float32)

// halve32InAssembly, halve16InAssembly and halve8InAssembly halve int32 towards zero, into int32, int16 and
// int8.
//
//go:noescape
func halve32InAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func halve16InAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func halve8InAssembly(to, from unsafe.Pointer, count int)

// halveShortsInAssembly and halveShorts8InAssembly halve int16 towards zero, into int16 and int8.
//
//go:noescape
func halveShortsInAssembly(to, from unsafe.Pointer, count int)

//go:noescape
func halveShorts8InAssembly(to, from unsafe.Pointer, count int)

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

// maxMagnitude16InAssembly and maxMagnitude32InAssembly are maxMagnitudeInGo, of int16 and int32.
//
//go:noescape
func maxMagnitude16InAssembly(from unsafe.Pointer, count int) int

//go:noescape
func maxMagnitude32InAssembly(from unsafe.Pointer, count int) int

// sizeOf returns the size of a number in bytes.
func sizeOf[N Number | Coefficient]() int {
	var n N
	return int(unsafe.Sizeof(n))
}

// placeVectors does all of place or nothing. It reports which.
func (r *rows[C, T]) placeVectors(one T) bool {
	if !cpu.Has.Vectors() || r.width < vectorSamples {
		return false
	}
	of := sizes{sizeOf[T](), sizeOf[C]()}
	if factor, isFloat := any(one).(float32); isFloat {
		return r.scale(of.from, factor)
	}
	widen := widening(of)
	if widen == nil || one != 1 || of.to == 2 && r.width < 2*vectorSamples {
		return false
	}
	for y := range r.height {
		to, from := r.to[y*r.toStride:][:r.width], r.from[y*r.fromStride:][:r.width]
		widen(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), r.width)
	}
	return true
}

// scale places coefficients of the given size as float32, unless they are too large.
func (r *rows[C, T]) scale(size int, one float32) bool {
	scale := scale32InAssembly
	switch size {
	case 1:
		scale = scale8InAssembly
	case 2:
		scale = scale16InAssembly
	case 8:
		return false
	}
	for y := range r.height {
		to, from := r.to[y*r.toStride:][:r.width], r.from[y*r.fromStride:][:r.width]
		scale(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), r.width, one)
	}
	return true
}

// sizes are the bytes of a converted number and of its source.
type sizes struct{ to, from int }

// widening returns what converts integers of the given sizes, or nil. To int16 it converts at least sixteen.
func widening(of sizes) func(to, from unsafe.Pointer, count int) {
	switch of {
	case sizes{4, 2}:
		return widenInAssembly
	case sizes{4, 1}:
		return widen8To32InAssembly
	case sizes{2, 1}:
		return widen8To16InAssembly
	}
	return nil
}

// narrowVectors does all of Halve or Narrow, or nothing. It reports which.
func narrowVectors[C Coefficient, D FixedPoint](to []C, from []D, halved bool) bool {
	count, of := len(to), sizes{sizeOf[C](), sizeOf[D]()}
	if !cpu.Has.Vectors() || count < 2*vectorSamples || count < 4*vectorSamples && of.to == 1 || len(from) < count {
		return false
	}
	convert := narrowing(of, halved)
	if convert == nil {
		return false
	}
	convert(unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), count)
	return true
}

// narrowing returns what converts numbers of the given sizes, or nil.
func narrowing(of sizes, halved bool) func(to, from unsafe.Pointer, count int) {
	if halved {
		switch of {
		case sizes{4, 4}:
			return halve32InAssembly
		case sizes{2, 4}:
			return halve16InAssembly
		case sizes{1, 4}:
			return halve8InAssembly
		case sizes{2, 2}:
			return halveShortsInAssembly
		case sizes{1, 2}:
			return halveShorts8InAssembly
		}
		return nil
	}
	switch of {
	case sizes{2, 4}:
		return narrow16InAssembly
	case sizes{1, 4}:
		return narrow8InAssembly
	case sizes{1, 2}:
		return narrowShortsInAssembly
	}
	return nil
}

// maxMagnitudeVectors does all of MaxMagnitude or nothing.
func maxMagnitudeVectors[D FixedPoint](decoded []D) (magnitude int, isDone bool) {
	count, size := len(decoded), sizeOf[D]()
	if !cpu.Has.Vectors() || count < 2*vectorSamples || size > 4 {
		return 0, false
	}
	if size == 2 {
		return maxMagnitude16InAssembly(unsafe.Pointer(&decoded[0]), count), true
	}
	return maxMagnitude32InAssembly(unsafe.Pointer(&decoded[0]), count), true
}
