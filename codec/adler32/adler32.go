// Package adler32 computes the checksum of zlib streams, RFC 1950. The encoder of PNG and the
// decoder of DEFLATE call it. It is faster than hash/adler32, and knows nothing about the data.
package adler32

import "encoding/binary"

// Initial is the checksum of no data.
const Initial = 1

const (
	modulus = 65521

	// chunkBytes is the maximum number of bytes per chunk. Over 23 words, a lane of earlier sums
	// grows to at most (0+1+...+22)*255 = 64515, which fits into 16 bits.
	chunkBytes = 8 * 23

	evenBytes = 0x00ff00ff00ff00ff // of a word, each in a lane of 16 bits
)

// updateInGo sums eight bytes at a time in the lanes of two words, while the standard library sums
// byte by byte.
func updateInGo(checksum uint32, data []byte) uint32 {
	s1, s2 := uint64(checksum&0xffff), uint64(checksum>>16)
	for len(data) >= 8 {
		n := min(len(data)&^7, chunkBytes)
		s1, s2 = addWords(s1, s2, data[:n])
		data = data[n:]
	}
	for _, b := range data {
		s1 += uint64(b)
		s2 += s1
	}
	return uint32(s2%modulus<<16 | s1%modulus)
}

// addWords adds whole words, at most chunkBytes.
func addWords(s1, s2 uint64, data []byte) (uint64, uint64) {
	var even, odd, earlierEven, earlierOdd uint64 // earlier: the sums before each word, added up
	for i := 0; i+8 <= len(data); i += 8 {
		word := binary.LittleEndian.Uint64(data[i:])
		earlierEven += even
		earlierOdd += odd
		even += word & evenBytes
		odd += word >> 8 & evenBytes
	}
	s2 += s1*uint64(len(data)) + 8*(laneSum(earlierEven)+laneSum(earlierOdd))
	s2 += weighted(even, 8, 6, 4, 2) + weighted(odd, 7, 5, 3, 1)
	s1 += laneSum(even) + laneSum(odd)
	return s1 % modulus, s2 % modulus
}

func laneSum(lanes uint64) uint64 { return weighted(lanes, 1, 1, 1, 1) }

// weighted returns the weighted sum of the lanes; w0 is the weight of the lowest.
func weighted(lanes, w0, w1, w2, w3 uint64) uint64 {
	return lanes&0xffff*w0 + lanes>>16&0xffff*w1 + lanes>>32&0xffff*w2 + lanes>>48*w3
}
