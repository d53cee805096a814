//go:build !purego

package rows

import (
	"math/bits"

	"golang.org/x/sys/cpu"
)

// swapEach shuffles the bytes of each vector as pattern says.
//
//go:noescape
func swapEach(words *byte, pattern *vector, vectors int)

// The joiners put 16 samples together a step, whose bytes lie apartStep bytes from each other.

//go:noescape
func joinTwos(samples, apart *byte, apartStep, steps int)

//go:noescape
func joinFours(samples, apart *byte, apartStep, steps int)

//go:noescape
func joinEights(samples, apart *byte, apartStep, steps int)

// widenPairs makes 16 samples of two bytes of bits a step.
//
//go:noescape
func widenPairs(samples, bits *byte, steps int)

// swapPatterns are by the logarithm of the bytes of a word.
var swapPatterns = [4]vector{1: reversed(2), 2: reversed(4), 3: reversed(8)}

func reversed(size int) (pattern vector) {
	for i := range pattern {
		pattern[i] = uint8(i/size*size + size - 1 - i%size)
	}
	return pattern
}

// swapVectors swaps the first words and tells how many bytes they are.
func swapVectors(words []byte, size int) int {
	vectors := len(words) / vectorBytes
	if !cpu.X86.HasSSSE3 || vectors == 0 || size != 2 && size != 4 && size != 8 {
		return 0
	}
	swapEach(&words[0], &swapPatterns[bits.TrailingZeros(uint(size))], vectors)
	return vectors * vectorBytes
}

// joinVectors makes the first samples and tells how many.
func joinVectors(samples, apart []byte, size int) int {
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
	count := min(len(samples), len(apart)) / size
	steps := count / perStep
	if steps == 0 {
		return 0
	}
	join(&samples[0], &apart[0], count, steps)
	return steps * perStep
}

// widenVectors widens the first bits and tells how many bytes they were.
func widenVectors(samples, bits []byte) int {
	steps := min(len(samples)/8, len(bits)) / 2
	if !cpu.X86.HasSSSE3 || steps == 0 {
		return 0
	}
	widenPairs(&samples[0], &bits[0], steps)
	return 2 * steps
}
