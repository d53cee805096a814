//go:build !purego

package rows

import (
	"math/bits"
	"unsafe"

	"tileserver/internal/cpu"
)

// vectorBytes is the size of a vector. The assembly checks no bounds; the Go functions check them.
// It processes whole vectors, and the Go code processes the rest of a row, and everything on
// machines without SSSE3.
const vectorBytes = 16

// The numbers in the names of the routines are the bytes per sample and the samples per pixel.

//go:noescape
func accumulate1x1(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate1x2(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate1x3(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate1x4(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate2x1(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate2x2(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate2x3(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate2x4(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate4x1(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate4x2(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate4x3(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate4x4(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate8x1(to, differences unsafe.Pointer, vectors int)

//go:noescape
func accumulate8x2(to, differences unsafe.Pointer, vectors int)

// accumulators holds the routines, indexed by the logarithm of the bytes per sample and by the
// samples per pixel.
var accumulators = [4][5]func(to, differences unsafe.Pointer, vectors int){
	{1: accumulate1x1, 2: accumulate1x2, 3: accumulate1x3, 4: accumulate1x4},
	{1: accumulate2x1, 2: accumulate2x2, 3: accumulate2x3, 4: accumulate2x4},
	{1: accumulate4x1, 2: accumulate4x2, 3: accumulate4x3, 4: accumulate4x4},
	{1: accumulate8x1, 2: accumulate8x2},
}

// accumulateVectors computes the first samples and returns their number: 0, or at least one pixel.
func accumulateVectors[T Word](to, differences []T, samples int) int {
	size := int(unsafe.Sizeof(T(0)))
	vectors := min(len(to), len(differences)) * size / vectorBytes
	if !cpu.Has.SSSE3 || vectors == 0 || samples < 1 || samples > 4 {
		return 0
	}
	accumulate := accumulators[bits.TrailingZeros(uint(size))][samples]
	if accumulate == nil {
		return 0
	}
	accumulate(unsafe.Pointer(&to[0]), unsafe.Pointer(&differences[0]), vectors)
	return vectors * vectorBytes / size
}
