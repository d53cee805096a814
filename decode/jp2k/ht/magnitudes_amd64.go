//go:build !purego

package ht

import "golang.org/x/sys/cpu"

// The assembly looks at no bounds. What it writes beyond a row's end, up to a whole step, has a place in the scratch memory.
const (
	pairsAtOnce   = 4 // of the step that foretells; the other does two
	samplesAtOnce = 8
)

// longestInVector is how many bits a sample may have to come with any bit offset out of four bytes.
const longestInVector = 25

// foretellVectors does eight quads a step: it adds to u what neighbours foretell, and tells where in the segment each quad
// begins, never behind last. It gives the largest U, and the place behind all.
//
//go:noescape
func foretellVectors(pairs *uint64, lower *uint32, places *uint32, steps int, position, last uint32) (highest, next uint32)

// sampleVectors does four quads a step, whose samples go to two rows, and the numbers of the lower ones to numbers.
//
//go:noescape
func sampleVectors(pairs *uint64, places *uint32, bits *byte, numbers *uint32, upper, lower *int32, steps, plane int)

// row is rowInGo by vectors, where they can do it.
func (m *magnitudeReader) row(pairs []uint64, upper, lower []int32) bool {
	if !cpu.X86.HasAVX2 || m.bound > longestInVector {
		return m.rowInGo(pairs, upper, lower)
	}
	last := uint32(m.end) * 8
	steps := (len(pairs) + pairsAtOnce - 1) / pairsAtOnce
	highest, next := foretellVectors(&pairs[0], &m.lower[0], &m.places[0], steps, uint32(m.position), last)
	if int(highest) > m.bound {
		return false
	}
	m.position = uint(next)
	sampleVectors(&pairs[0], &m.places[0], &m.bits[0], &m.lower[1], &upper[0], &lower[0], (len(pairs)+1)/2, m.plane)
	return true
}
