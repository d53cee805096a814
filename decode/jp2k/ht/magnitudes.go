package ht

import (
	"encoding/binary"
	"math/bits"
)

// maxMagnitudeBytes is the size of 4096 samples of 32 bits.
const maxMagnitudeBytes = 4 * MaxSamples

// magnitudeReader decodes the MagSgn segment: the magnitudes and signs of significant samples.
type magnitudeReader struct {
	bits     [1 + maxMagnitudeBytes + streamPadding]byte // from the second byte on
	end      int                                         // of bits, in bytes; ones follow
	position uint                                        // of the next bit

	plane int // bit-plane of the cleanup pass
	bound int // maximum U of a sound block

	// lower holds the coded numbers of the lower samples in the row of quads above. They predict
	// the length of the samples below them. One entry precedes the first sample, and some follow
	// the last.
	lower [MaxSide + 16]uint32

	positions [MaxSide/2 + 8]uint32 // where each quad of a row begins, in bits
}

func (m *magnitudeReader) begin(segment []byte, plane, bound, width int) {
	m.end = 1 + (&unstuffer{to: m.bits[1:]}).forward(segment, 0xFF)
	m.position = 8
	m.plane, m.bound = plane, bound
	clear(m.lower[:width+16])
}

func (m *magnitudeReader) fetch(position uint) uint64 {
	return binary.LittleEndian.Uint64(m.bits[min(position>>3, uint(m.end)):]) >> (position & 7)
}

// rowInGo decodes a row of quads into two rows of samples, and replaces u by U in pairs. It returns
// false if a U exceeds the bound.
func (m *magnitudeReader) rowInGo(pairs []uint64, upper, lower []int32) bool {
	if !m.predict(pairs) {
		return false
	}
	m.samples(pairs, upper, lower)
	return true
}

// samples decodes a row of quads whose U are known.
func (m *magnitudeReader) samples(pairs []uint64, upper, lower []int32) {
	position := m.position
	for i, pair := range pairs {
		upper, lower, below := upper[4*i:][:4], lower[4*i:][:4], m.lower[4*i+1:][:4]
		for half := 0; half < 4; half += 2 {
			quad := uint32(pair)
			pair >>= 32
			if quad>>significantBit&15 == 0 {
				upper[half], upper[half+1], lower[half], lower[half+1], below[half], below[half+1] = 0, 0, 0, 0, 0, 0
				continue
			}
			upper[half], _, position = m.sample(quad, 0, position)
			lower[half], below[half], position = m.sample(quad, 1, position)
			upper[half+1], _, position = m.sample(quad, 2, position)
			lower[half+1], below[half+1], position = m.sample(quad, 3, position)
		}
	}
	m.position = position
}

// predict adds the prediction from the row above to u, which gives U. It returns false if a U
// exceeds the bound.
func (m *magnitudeReader) predict(pairs []uint64) bool {
	highest := 0
	for i, pair := range pairs {
		above := m.lower[4*i:][:6]
		first := prediction(uint32(pair), above[0]|above[1]|above[2]|above[3])
		second := prediction(uint32(pair>>32), above[2]|above[3]|above[4]|above[5])
		pair += uint64(first)<<upperBit | uint64(second)<<(upperBit+32)
		highest = max(highest, int(uint32(pair)>>upperBit), int(pair>>(upperBit+32)))
		pairs[i] = pair
	}
	return highest <= m.bound
}

// prediction returns the predicted exponent of a quad. It is the length of the longest of the four
// numbers above, if more than one sample of the quad is significant, and at least 1.
func prediction(quad, above uint32) int {
	significant := quad >> significantBit & 15
	if significant&(significant-1) == 0 {
		return 1
	}
	return max(bits.Len32(above)-1, 1)
}

// sample decodes sample i of a quad, if it is significant, and returns the position of the next
// one. The coded number is the sign plus twice (magnitude - 1). It has no branches, since
// significance is unpredictable. The returned number has its lowest bit set instead of the sign.
func (m *magnitudeReader) sample(quad uint32, i, position uint) (value int32, number uint32, next uint) {
	significant := -(quad >> (significantBit + i&3) & 1)
	length := (quad>>upperBit - quad>>(knownBit+i&3)&1) & significant & 31
	coded := uint32(m.fetch(position))&(1<<length-1) | quad>>(onesBit+i&3)&1<<length
	sign := -int32(coded & 1)
	number = coded | 1
	value = int32((number+2)&significant<<(m.plane&31)) ^ sign - sign
	return value, number & significant, position + uint(length)
}
