package png

import "encoding/binary"

const (
	adlerModulus = 65521

	// adlerBlock is the maximum number of bytes per block. Over 23 words, a lane of earlier sums
	// grows to at most (0+1+...+22)*255 = 64515, which fits into 16 bits.
	adlerBlock = 8 * 23
)

// adlerGo continues an Adler-32 checksum. It sums eight bytes at a time in the lanes of two words,
// while the standard library sums byte by byte.
func adlerGo(checksum uint32, data []byte) uint32 {
	s1, s2 := uint64(checksum&0xffff), uint64(checksum>>16)
	for len(data) >= 8 {
		n := min(len(data)&^7, adlerBlock)
		s1, s2 = adlerWords(s1, s2, data[:n])
		data = data[n:]
	}
	for _, b := range data {
		s1 += uint64(b)
		s2 += s1
	}
	return uint32(s2%adlerModulus<<16 | s1%adlerModulus)
}

// adlerWords adds whole words, at most adlerBlock bytes.
func adlerWords(s1, s2 uint64, data []byte) (uint64, uint64) {
	var even, odd, earlierEven, earlierOdd uint64 // earlier: the sums before each word, added up
	for i := 0; i+8 <= len(data); i += 8 {
		word := binary.LittleEndian.Uint64(data[i:])
		earlierEven += even
		earlierOdd += odd
		even += word & laneBytes
		odd += word >> 8 & laneBytes
	}
	s2 += s1*uint64(len(data)) + 8*(laneSum(earlierEven)+laneSum(earlierOdd))
	s2 += weighted(even, 8, 6, 4, 2) + weighted(odd, 7, 5, 3, 1)
	s1 += laneSum(even) + laneSum(odd)
	return s1 % adlerModulus, s2 % adlerModulus
}

func laneSum(lanes uint64) uint64 { return weighted(lanes, 1, 1, 1, 1) }

// weighted returns the weighted sum of the lanes; w0 is the weight of the lowest.
func weighted(lanes, w0, w1, w2, w3 uint64) uint64 {
	return lanes&0xffff*w0 + lanes>>16&0xffff*w1 + lanes>>32&0xffff*w2 + lanes>>48*w3
}
