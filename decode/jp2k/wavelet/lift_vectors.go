//go:build (amd64 || arm64) && !purego

package wavelet

import (
	"unsafe"

	"tileserver/internal/cpu"
)

// The assembly checks no bounds; its callers do. It does exactly the arithmetic of the Go code:
// integers wrap, and no product is fused with a sum.

// vectorSamples is the number of samples that a step of the assembly computes.
const vectorSamples = 8

// across53Words and across53Shorts are across53InGo for whole vectors of pairs, of int32 and int16.
//
//go:noescape
func across53Words(to, low, high unsafe.Pointer, vectors int)

//go:noescape
func across53Shorts(to, low, high unsafe.Pointer, vectors int)

// down53Words and down53Shorts are down53InGo for at least one vector of columns. The last vector may
// overlap the one before it.
//
//go:noescape
func down53Words(even, odd, low, before, after, previous unsafe.Pointer, columns int)

//go:noescape
func down53Shorts(even, odd, low, before, after, previous unsafe.Pointer, columns int)

// across97InAssembly is across97InGo for whole vectors of pairs. lowWeight is delta times highScale.
//
//go:noescape
func across97InAssembly(to, low, high *float32, vectors int, lowScale, lowWeight, highScale float32)

// down97InAssembly is rowStep97.from for all columns, of at least one vector. The last vector may overlap
// the one before it.
//
//go:noescape
func down97InAssembly(t *rowStep97, columns int)

func across53Vectors[T Integer](to, low, high []T, pairs int) int {
	vectors := pairs / lanes[T]()
	if !cpu.Has.Vectors() || sizeOf[T]() > 4 || vectors == 0 {
		return 0
	}
	done := vectors * lanes[T]()
	to, low, high = to[:2*done], low[:done+1], high[:done+2]
	across := across53Words
	if sizeOf[T]() == 2 {
		across = across53Shorts
	}
	across(unsafe.Pointer(&to[0]), unsafe.Pointer(&low[0]), unsafe.Pointer(&high[0]), vectors)
	return done
}

func down53Vectors[T Integer](even, odd, low, before, after, previous []T) int {
	columns := len(even)
	if !cpu.Has.Vectors() || sizeOf[T]() > 4 || columns < lanes[T]() {
		return 0
	}
	odd, low, before, after, previous = odd[:columns], low[:columns], before[:columns], after[:columns], previous[:columns]
	down := down53Words
	if sizeOf[T]() == 2 {
		down = down53Shorts
	}
	down(unsafe.Pointer(&even[0]), unsafe.Pointer(&odd[0]), unsafe.Pointer(&low[0]),
		unsafe.Pointer(&before[0]), unsafe.Pointer(&after[0]), unsafe.Pointer(&previous[0]), columns)
	return columns
}

func across97Vectors(to, low, high []float32, pairs int, by *scale) int {
	vectors := pairs / vectorSamples
	if !cpu.Has.Vectors() || vectors == 0 {
		return 0
	}
	done := vectors * vectorSamples
	to, low, high = to[:2*done], low[:done+3], high[:done+4]
	across97InAssembly(&to[0], &low[0], &high[0], vectors, by.low, delta*by.high, by.high)
	return done
}

func down97Vectors(t *rowStep97, width int) int {
	if !cpu.Has.Vectors() || width < vectorSamples {
		return 0
	}
	minLength := min(len(t.low), len(t.before), len(t.after), len(t.previousLow), len(t.previousHigh), len(t.previousEven),
		len(t.liftedLow), len(t.liftedHigh), len(t.even), len(t.odd))
	if minLength < width {
		return 0
	}
	down97InAssembly(t, width)
	return width
}
