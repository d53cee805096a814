//go:build (amd64 || arm64) && !purego

package adler32

import "tileserver/internal/cpu"

// vectorBytes is the number of bytes that the assembly adds at a time.
const vectorBytes = 32

// addVectors returns the sum of all bytes, the sum over all vectors of the byte sums before them,
// and the sum of all bytes weighted by their positions in a vector. It checks no bounds.
//
//go:noescape
func addVectors(data *byte, vectors int) (sum, earlier, weighted uint32)

// Update continues a checksum. Begin with Initial.
func Update(checksum uint32, data []byte) uint32 {
	if !cpu.Has.Vectors() {
		return updateInGo(checksum, data)
	}
	const maxVectors = 5552 / vectorBytes // limit for sums to fit
	s1, s2 := uint64(checksum&0xffff), uint64(checksum>>16)
	for len(data) >= vectorBytes {
		vectors := min(len(data)/vectorBytes, maxVectors)
		sum, earlier, weighted := addVectors(&data[0], vectors)
		s2 = (s2 + s1*uint64(vectors*vectorBytes) + vectorBytes*uint64(earlier) + uint64(weighted)) % modulus
		s1 = (s1 + uint64(sum)) % modulus
		data = data[vectors*vectorBytes:]
	}
	return updateInGo(uint32(s2<<16|s1), data)
}
