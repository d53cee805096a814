package rows

import "encoding/binary"

// WidenBits expands each bit to a byte of 0 or 1. The highest bit of a byte comes first.
func WidenBits(samples, bits []byte) {
	done := widenVectors(samples, bits)
	widenBitsInGo(samples[8*done:], bits[done:])
}

// widenBitsInGo expands eight bits at a time. It isolates each bit in its own byte, the highest in
// the first, and shifts it down.
func widenBitsInGo(samples, bits []byte) {
	const each, singled, below = 0x0101010101010101, 0x0102040810204080, 0x7f7f7f7f7f7f7f7f
	for ; len(samples) >= 8; samples, bits = samples[8:], bits[1:] {
		binary.LittleEndian.PutUint64(samples, (uint64(bits[0])*each&singled+below)>>7&each)
	}
	for x := range samples {
		samples[x] = bits[0] >> (7 - x) & 1
	}
}
