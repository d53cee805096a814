package lerc

import (
	"encoding/binary"
	"math/bits"
)

// checksumFrom is the index of the first byte that the checksum of a blob covers. It follows the
// checksum itself.
const checksumFrom = len(blobMagic) + 4 + 4

// Fletcher32 computes the checksum of a blob over big-endian words. It reduces the sums after every
// 359 words, and once more after an odd last byte. It processes four words at a time; each word
// enters the second sum once for itself and once for each later word of the group.
func Fletcher32(data []byte) uint32 {
	const chunkBytes = 359 * 2
	reduce := func(sum uint64) uint64 { return sum&0xffff + sum>>16 }
	first, second := uint64(0xffff), uint64(0xffff)
	for len(data) >= 2 {
		chunk := data[:min(len(data)&^1, chunkBytes)]
		data = data[len(chunk):]
		for ; len(chunk) >= 8; chunk = chunk[8:] {
			words := bits.ReverseBytes64(binary.LittleEndian.Uint64(chunk))
			w0, w1, w2, w3 := words>>48, words>>32&0xffff, words>>16&0xffff, words&0xffff
			second += 4*(first+w0) + 3*w1 + 2*w2 + w3
			first += w0 + w1 + w2 + w3
		}
		for ; len(chunk) >= 2; chunk = chunk[2:] {
			first += uint64(binary.BigEndian.Uint16(chunk))
			second += first
		}
		first, second = reduce(first), reduce(second)
	}
	if len(data) == 1 {
		first += uint64(data[0]) << 8
		second += first
	}
	return uint32(reduce(second)<<16 | reduce(first))
}
