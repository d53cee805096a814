//go:build !purego

package rows

import (
	"math/bits"
	"unsafe"

	"tileserver/internal/cpu"
)

// vector is the content of a register.
type vector [vectorBytes]uint8

// splitTwos splits two vectors of pixels with two samples per step. pattern moves the first samples
// of a vector to its lower half.
//
//go:noescape
func splitTwos(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)

// splitThrees splits three vectors of pixels with three samples per step. The first three patterns
// extract the first samples from the three vectors, and so on.
//
//go:noescape
func splitThrees(planes *[4]unsafe.Pointer, row unsafe.Pointer, patterns *[9]vector, steps int)

// splitFours splits four vectors of pixels with four samples per step. pattern moves the first
// samples of a vector to its first quarter, and so on.
//
//go:noescape
func splitFours(planes *[4]unsafe.Pointer, row unsafe.Pointer, pattern *vector, steps int)

// Patterns, indexed by the logarithm of the bytes per sample.
var (
	twoPatterns   = [4]vector{evenly(1, 2), evenly(2, 2), evenly(4, 2), evenly(8, 2)}
	threePatterns = [4][9]vector{threes(1), threes(2), threes(4), threes(8)}
	fourPatterns  = [3]vector{evenly(1, 4), evenly(2, 4), evenly(4, 4)}
)

// evenly returns a pattern that groups the samples of the pixels in a vector. Samples have size
// bytes.
func evenly(size, samples int) (pattern vector) {
	pixels := vectorBytes / size / samples
	for i := range pattern {
		sample, pixel := i/size/pixels, i/size%pixels
		pattern[i] = uint8((pixel*samples+sample)*size + i%size)
	}
	return pattern
}

// threes returns, for each sample of a pixel, the patterns that extract it from three vectors.
func threes(size int) (patterns [9]vector) {
	const shuffleZero = 0x80
	for p := range patterns {
		sample, from := p/3, p%3
		for i := range patterns[p] {
			patterns[p][i] = shuffleZero
			if at := (i/size*3+sample)*size + i%size; at/vectorBytes == from {
				patterns[p][i] = uint8(at % vectorBytes)
			}
		}
	}
	return patterns
}

// splitVectors splits the first pixels of a row, and returns their number.
func splitVectors[T Cell](planes [][]T, row []T) int {
	var cell T
	size, samples := int(unsafe.Sizeof(cell)), len(planes)
	if !cpu.Has.SSSE3 || size > 8 || samples < 2 || samples > 4 || size*samples > 24 {
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
	from, index := unsafe.Pointer(&row[0]), bits.TrailingZeros(uint(size))
	switch samples {
	case 2:
		splitTwos(&to, from, &twoPatterns[index], steps)
	case 3:
		splitThrees(&to, from, &threePatterns[index], steps)
	case 4:
		splitFours(&to, from, &fourPatterns[index], steps)
	}
	return steps * perStep
}
