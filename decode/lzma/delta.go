package lzma

import "encoding/binary"

const wordBytes = 8

// undoDelta adds to every byte the one so far before it.
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

// undoDeltaByWords does so for distances that divide a word. Within a word every byte takes up the sum of those before it in
// a few steps, each of which doubles how many that are; then the last bytes of the word before are added to all. It returns
// what is left: less than a word, with as many finished bytes before it as the distance is.
func undoDeltaByWords(data []byte, distance int) (rest []byte) {
	// The factor repeats the distance's bytes over a word.
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

// addBytes adds each byte to the one in the same place. The highest bits are added by themselves, so that they carry nothing
// to the next byte.
func addBytes(a, b uint64) uint64 {
	const highest = 0x8080808080808080
	return (a&^highest + b&^highest) ^ (a^b)&highest
}
