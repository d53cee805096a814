package decoder

import "encoding/binary"

// adler32Of computes the Adler-32 checksum of RFC 1950.
//
// It adds eight bytes at a time in 16-bit lanes. sums holds the sum of the bytes at each position
// in a word. running adds up sums before each word, which yields the weight of each byte in the
// second Adler sum. A chunk has 23 words because running must stay below 1 << 16: 255 * 23 * 22 / 2
// is just below.
func adler32Of(data []byte) uint32 {
	const (
		modulus    = 65521
		chunkBytes = 23 * 8
		evenBytes  = 0x00ff00ff00ff00ff
	)
	low, high := uint64(1), uint64(0)
	for len(data) >= chunkBytes {
		var sums, sumsOdd, running, runningOdd uint64
		for words := data[:chunkBytes]; len(words) >= 8; words = words[8:] {
			word := binary.LittleEndian.Uint64(words)
			running += sums
			runningOdd += sumsOdd
			sums += word & evenBytes
			sumsOdd += word >> 8 & evenBytes
		}
		high += chunkBytes*low + 8*(addLanes(running, 1, 1, 1, 1)+addLanes(runningOdd, 1, 1, 1, 1)) +
			addLanes(sums, 8, 6, 4, 2) + addLanes(sumsOdd, 7, 5, 3, 1)
		low += addLanes(sums, 1, 1, 1, 1) + addLanes(sumsOdd, 1, 1, 1, 1)
		low, high = low%modulus, high%modulus
		data = data[chunkBytes:]
	}
	for _, b := range data {
		low += uint64(b)
		high += low
	}
	return uint32(high%modulus<<16 | low%modulus)
}

// addLanes returns the weighted sum of the four 16-bit lanes of v, lowest first.
func addLanes(v, weight0, weight1, weight2, weight3 uint64) uint64 {
	return v&0xffff*weight0 + v>>16&0xffff*weight1 + v>>32&0xffff*weight2 + v>>48*weight3
}
