//go:build !purego

package rows

import (
	"math/bits"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// vector is what a register holds.
type vector [vectorBytes]uint8

// partTwos parts two vectors of pixels of two samples a step. pattern brings the first samples of a vector into its
// lower half.
//
//go:noescape
func partTwos(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)

// partThrees parts three vectors of pixels of three samples a step. The first three patterns take the first samples
// from each of the vectors.
//
//go:noescape
func partThrees(planes *[4]unsafe.Pointer, row unsafe.Pointer, patterns *[9]vector, steps int)

// partFours parts four vectors of pixels of four samples a step. pattern brings the first samples of a vector into its
// first quarter, and so on.
//
//go:noescape
func partFours(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)

// The patterns are by the logarithm of the bytes of a sample.
var (
	twoPatterns   = [4]vector{evenly(1, 2), evenly(2, 2), evenly(4, 2), evenly(8, 2)}
	threePatterns = [4][9]vector{threes(1), threes(2), threes(4), threes(8)}
	fourPatterns  = [3]vector{evenly(1, 4), evenly(2, 4), evenly(4, 4)}
)

// evenly brings the like samples, of size bytes each, of the pixels in a vector together.
func evenly(size, samples int) (pattern vector) {
	pixels := vectorBytes / size / samples
	for i := range pattern {
		sample, pixel := i/size/pixels, i/size%pixels
		pattern[i] = uint8((pixel*samples+sample)*size + i%size)
	}
	return pattern
}

// threes are, for each sample of a pixel, what it takes from each of three vectors.
func threes(size int) (patterns [9]vector) {
	const nothing = 0x80
	for p := range patterns {
		sample, from := p/3, p%3
		for i := range patterns[p] {
			patterns[p][i] = nothing
			if at := (i/size*3+sample)*size + i%size; at/vectorBytes == from {
				patterns[p][i] = uint8(at % vectorBytes)
			}
		}
	}
	return patterns
}

// partVectors parts the first pixels of a row and tells how many.
func partVectors[T Cell](planes [][]T, row []T) int {
	var cell T
	size, samples := int(unsafe.Sizeof(cell)), len(planes)
	if !cpu.X86.HasSSSE3 || size > 8 || samples < 2 || samples > 4 || size*samples > 24 {
		return 0
	}
	perStep := vectorBytes / size
	steps := len(row) / samples / perStep
	if steps == 0 {
		return 0
	}
	var to [4]unsafe.Pointer
	for i, plane := range planes {
		to[i] = unsafe.Pointer(&plane[:steps*perStep][0])
	}
	from, place := unsafe.Pointer(&row[0]), bits.TrailingZeros(uint(size))
	switch samples {
	case 2:
		partTwos(&to, from, &twoPatterns[place], steps)
	case 3:
		partThrees(&to, from, &threePatterns[place], steps)
	case 4:
		partFours(&to, from, &fourPatterns[place], steps)
	}
	return steps * perStep
}
