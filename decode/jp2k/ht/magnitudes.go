package ht

import (
	"encoding/binary"
	"math/bits"
)

// magnitudeBytes is what 4096 samples of 32 bits take.
const magnitudeBytes = 4 * MaxSamples

// magnitudeReader is the second step of the cleanup pass: the MagSgn segment, which has the magnitudes and signs of the
// samples that are significant.
type magnitudeReader struct {
	bits     [magnitudeBytes + streamPadding]byte
	end      int  // of bits, in bytes; behind it are ones
	position uint // of the next bit

	plane int // of the cleanup pass
	bound int // that no U is above

	// lower are the numbers of the lower samples in the row of quads before this one, from which comes how long their
	// neighbours are likely to be. There is one more in front of the first, and some behind the last.
	lower [MaxSide + 16]uint32

	places [MaxSide/2 + 8]uint32 // where each quad of a row begins, in bits
}

func (m *magnitudeReader) begin(segment []byte, plane, bound, width int) {
	m.end = (&unstuffer{to: m.bits[:]}).forward(segment, 0xFF)
	m.position = 0
	m.plane, m.bound = plane, bound
	clear(m.lower[:width+16])
}

func (m *magnitudeReader) fetch(position uint) uint64 {
	return binary.LittleEndian.Uint64(m.bits[min(position>>3, uint(m.end)):]) >> (position & 7)
}

// rowInGo reads the samples of a row of quads into two rows, and puts U in the place of u. It tells whether none was above the bound.
func (m *magnitudeReader) rowInGo(pairs []uint64, upper, lower []int32) bool {
	if !m.foretell(pairs) {
		return false
	}
	position := m.position
	for i, pair := range pairs {
		upper, lower, below := upper[4*i:][:4], lower[4*i:][:4], m.lower[4*i+1:][:4]
		for half := 0; half < 4; half += 2 {
			quad := uint32(pair)
			pair >>= 32
			upper[half], _, position = m.sample(quad, 0, position)
			lower[half], below[half], position = m.sample(quad, 1, position)
			upper[half+1], _, position = m.sample(quad, 2, position)
			lower[half+1], below[half+1], position = m.sample(quad, 3, position)
		}
	}
	m.position = position
	return true
}

// foretell adds to u what neighbours foretell: how long the longest of the four above is, if more than one sample is significant.
func (m *magnitudeReader) foretell(pairs []uint64) bool {
	highest := 0
	for i, pair := range pairs {
		above := m.lower[4*i:][:6]
		first := foretold(uint32(pair), above[0]|above[1]|above[2]|above[3])
		second := foretold(uint32(pair>>32), above[2]|above[3]|above[4]|above[5])
		pair += uint64(first)<<upperBit | uint64(second)<<(upperBit+32)
		highest = max(highest, int(uint32(pair)>>upperBit), int(pair>>(upperBit+32)))
		pairs[i] = pair
	}
	return highest <= m.bound
}

func foretold(quad, above uint32) int {
	significant := quad >> significantBit & 15
	if significant&(significant-1) == 0 {
		return 1
	}
	return max(bits.Len32(above)-1, 1)
}

// sample reads one, if it is significant, and tells where the next one begins. The number is twice what the magnitude has beside
// 1, and one more. There are no branches, since nobody foresees which samples are significant.
func (m *magnitudeReader) sample(quad uint32, i, position uint) (value int32, number uint32, next uint) {
	significant := -(quad >> (significantBit + i&3) & 1)
	length := (quad>>upperBit - quad>>(knownBit+i&3)&1) & significant & 31
	coded := uint32(m.fetch(position))&(1<<length-1) | quad>>(onesBit+i&3)&1<<length
	sign := -int32(coded & 1)
	number = coded | 1
	value = int32((number+2)&significant<<(m.plane&31)) ^ sign - sign
	return value, number & significant, position + uint(length)
}
