package rows

import "encoding/binary"

// WidenBits makes a byte, 0 or 1, of each bit, the highest of a byte first.
func WidenBits(samples, bits []byte) {
	done := widenVectors(samples, bits)
	widenBitsInGo(samples[8*done:], bits[done:])
}

// widenBitsInGo takes eight bits at a time: each of them is singled out in a byte of its own, the highest in the first,
// and then moved down.
func widenBitsInGo(samples, bits []byte) {
	const each, singled, below = 0x0101010101010101, 0x0102040810204080, 0x7f7f7f7f7f7f7f7f
	for ; len(samples) >= 8; samples, bits = samples[8:], bits[1:] {
		binary.LittleEndian.PutUint64(samples, (uint64(bits[0])*each&singled+below)>>7&each)
	}
	for x := range samples {
		samples[x] = bits[0] >> (7 - x) & 1
	}
}
