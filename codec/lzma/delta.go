package lzma

import "encoding/binary"

const wordBytes = 8

// undoDelta adds to every byte the one at the given distance before it.
func undoDelta(data []byte, distance int) {
	switch distance {
	case 0:
		return
	case 1, 2, 4, 8:
		data = undoDeltaByWords(data, distance)
	}
	for i := distance; i < len(data); i++ {
		data[i] += data[i-distance]
	}
}

// undoDeltaByWords undoes a delta whose distance divides a word. It computes prefix sums within a
// word in a logarithmic number of steps, and adds the last bytes of the previous word. It returns
// the rest: less than a word of unfinished bytes, preceded by distance finished ones.
func undoDeltaByWords(data []byte, distance int) (rest []byte) {
	// The factor replicates distance bytes over a word.
	width := uint(8 * distance)
	factor := uint64(1)
	for shift := width; shift < 64; shift *= 2 {
		factor |= factor << shift
	}
	carried := uint64(0)
	words := data
	for ; len(words) >= wordBytes; words = words[wordBytes:] {
		sums := binary.LittleEndian.Uint64(words)
		for shift := width; shift < 64; shift *= 2 {
			sums = addBytes(sums, sums<<shift)
		}
		sums = addBytes(sums, carried*factor)
		carried = sums >> (64 - width)
		binary.LittleEndian.PutUint64(words, sums)
	}
	finished := len(data) - len(words)
	return data[max(finished-distance, 0):]
}

// addBytes adds the bytes of two words separately. It adds the highest bits without carry, so that
// no carry reaches the next byte.
func addBytes(a, b uint64) uint64 {
	const highest = 0x8080808080808080
	return (a&^highest + b&^highest) ^ (a^b)&highest
}
