//go:build !purego

package rows

import (
	"math/bits"

	"tileserver/internal/cpu"
)

// swapEach shuffles the bytes of each vector by pattern.
//
//go:noescape
func swapEach(words *byte, pattern *vector, vectors int)

// The join routines assemble 16 samples per step. The bytes of a sample lie planeBytes apart.

//go:noescape
func joinTwos(samples, bytePlanes *byte, planeBytes, steps int)

//go:noescape
func joinFours(samples, bytePlanes *byte, planeBytes, steps int)

//go:noescape
func joinEights(samples, bytePlanes *byte, planeBytes, steps int)

// widenPairs expands two bytes of bits to 16 samples per step.
//
//go:noescape
func widenPairs(samples, bits *byte, steps int)

// swapPatterns is indexed by the logarithm of the bytes per word.
var swapPatterns = [4]vector{1: reversedBytes(2), 2: reversedBytes(4), 3: reversedBytes(8)}

func reversedBytes(size int) (pattern vector) {
	for i := range pattern {
		pattern[i] = uint8(i/size*size + size - 1 - i%size)
	}
	return pattern
}

// swapVectors swaps the bytes of the first words, and returns the number of bytes processed.
func swapVectors(words []byte, size int) int {
	vectors := len(words) / vectorBytes
	if !cpu.Has.SSSE3 || vectors == 0 || size != 2 && size != 4 && size != 8 {
		return 0
	}
	swapEach(&words[0], &swapPatterns[bits.TrailingZeros(uint(size))], vectors)
	return vectors * vectorBytes
}

// joinVectors assembles the first samples, and returns their number.
func joinVectors(samples, bytePlanes []byte, size int) int {
	const perStep = 16
	join := joinTwos
	switch size {
	case 2:
	case 4:
		join = joinFours
	case 8:
		join = joinEights
	default:
		return 0
	}
	count := min(len(samples), len(bytePlanes)) / size
	steps := count / perStep
	if steps == 0 {
		return 0
	}
	join(&samples[0], &bytePlanes[0], count, steps)
	return steps * perStep
}

// widenVectors expands the first bits, and returns the number of bytes read.
func widenVectors(samples, bits []byte) int {
	steps := min(len(samples)/8, len(bits)) / 2
	if !cpu.Has.SSSE3 || steps == 0 {
		return 0
	}
	widenPairs(&samples[0], &bits[0], steps)
	return 2 * steps
}
