//go:build !purego

package ht

import "tileserver/internal/cpu"

// The assembly checks no bounds. The scratch memory has room for what it writes beyond the end of a
// row, up to a whole step.
const (
	pairsAtOnce   = 4 // wideSamples does two
	samplesAtOnce = 16
)

// The maximum length of samples:
//
//   - of narrowSamples, so that those of a pair begin within 16 bytes, and values fit into 16 bits;
//   - of wideSamples, so that those of a quad are within 16 bytes.
const (
	maxNarrowBits = 14
	maxWideBits   = 30
)

// maxNarrowPlane is the highest plane to which narrowSamples moves values of 16 bits.
const maxNarrowPlane = 16

// predictVectors processes eight quads a step. It adds the prediction to u, and writes the position
// of each quad in the segment, limited to last. It returns the largest U and the position after the
// last quad. Its Go twins are magnitudeReader.predict and the positions in rowInGo.
//
//go:noescape
func predictVectors(pairs *uint64, lower *uint32, positions *uint32, steps int, position, last uint32) (highest, next uint32)

// narrowSamples decodes eight quads a step into two rows of samples, and writes the numbers of the lower
// samples to numbers. U and the plane are limited. Its Go twin is magnitudeReader.sample.
//
//go:noescape
func narrowSamples(pairs *uint64, positions *uint32, bits *byte, numbers *uint32, upper, lower *int32, steps, plane int)

// wideSamples is narrowSamples for larger U. It decodes four quads a step.
//
//go:noescape
func wideSamples(pairs *uint64, positions *uint32, bits *byte, numbers *uint32, upper, lower *int32, steps, plane int)

// row is rowInGo with vectors, if the processor has them and a row has more than they take to begin.
func (m *magnitudeReader) row(pairs []uint64, upper, lower []int32) bool {
	if !cpu.Has.AVX2 || len(pairs) == 1 {
		return m.rowInGo(pairs, upper, lower)
	}
	last := uint32(m.end) * 8
	steps := (len(pairs) + pairsAtOnce - 1) / pairsAtOnce
	highest, next := predictVectors(&pairs[0], &m.lower[0], &m.positions[0], steps, uint32(m.position), last)
	switch {
	case int(highest) > m.bound:
		return false
	case highest > maxWideBits:
		m.samples(pairs, upper, lower)
		return true
	case highest > maxNarrowBits || m.plane > maxNarrowPlane:
		wideSamples(&pairs[0], &m.positions[0], &m.bits[0], &m.lower[1], &upper[0], &lower[0], (len(pairs)+1)/2, m.plane)
	default:
		narrowSamples(&pairs[0], &m.positions[0], &m.bits[0], &m.lower[1], &upper[0], &lower[0], steps, m.plane)
	}
	m.position = uint(next)
	return true
}
