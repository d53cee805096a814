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

// across53InAssembly is across53InGo for whole vectors of pairs.
//
//go:noescape
func across53InAssembly(to, low, high *int32, vectors int)

// down53InAssembly is down53InGo for at least one vector of columns. The last vector may overlap the one
// before it.
//
//go:noescape
func down53InAssembly(even, odd, low, before, after, previous *int32, columns int)

// across97InAssembly is across97InGo for whole vectors of pairs. lowWeight is delta times highScale.
//
//go:noescape
func across97InAssembly(to, low, high *float32, vectors int, lowScale, lowWeight, highScale float32)

// down97InAssembly is rowStep97.from for all columns, of at least one vector. The last vector may overlap
// the one before it.
//
//go:noescape
func down97InAssembly(t *rowStep97, columns int)

func across53Vectors[T int32 | int64](to, low, high []T, pairs int) int {
	vectors := pairs / vectorSamples
	if !cpu.Has.Vectors() || unsafe.Sizeof(T(0)) != 4 || vectors == 0 {
		return 0
	}
	done := vectors * vectorSamples
	to, low, high = to[:2*done], low[:done+1], high[:done+2]
	across53InAssembly(words(to), words(low), words(high), vectors)
	return done
}

func down53Vectors[T int32 | int64](even, odd, low, before, after, previous []T) int {
	columns := len(even)
	if !cpu.Has.Vectors() || unsafe.Sizeof(T(0)) != 4 || columns < vectorSamples {
		return 0
	}
	odd, low, before, after, previous = odd[:columns], low[:columns], before[:columns], after[:columns], previous[:columns]
	down53InAssembly(words(even), words(odd), words(low), words(before), words(after), words(previous), columns)
	return columns
}

// words returns the address of the first sample, which must be an int32.
func words[T int32 | int64](samples []T) *int32 { return (*int32)(unsafe.Pointer(&samples[0])) }

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
