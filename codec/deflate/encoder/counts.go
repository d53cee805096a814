package encoder

import (
	"encoding/binary"

	"tileserver/codec/deflate"
)

// symbolCounts counts the symbols of a block.
type symbolCounts struct {
	literals  [deflate.LiteralSymbols]uint32 // including lengths and the end of the block
	distances [deflate.DistanceSymbols]uint32
}

// addLiterals counts bytes. It alternates between four tables, because increments of the same
// counter in a row would wait for memory.
func (t *symbolCounts) addLiterals(data []byte) {
	var counts [4][256]uint32
	for ; len(data) >= 8; data = data[8:] {
		word := binary.LittleEndian.Uint64(data)
		counts[0][word&0xff]++
		counts[1][word>>8&0xff]++
		counts[2][word>>16&0xff]++
		counts[3][word>>24&0xff]++
		counts[0][word>>32&0xff]++
		counts[1][word>>40&0xff]++
		counts[2][word>>48&0xff]++
		counts[3][word>>56]++
	}
	for _, literal := range data {
		counts[0][literal]++
	}
	for i := range 256 {
		t.literals[i] += counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i]
	}
}

// addSequences counts the symbols of sequences. start is the index of their first byte in data.
func (t *symbolCounts) addSequences(data []byte, start int, sequences []sequence) {
	for _, s := range sequences {
		for _, literal := range data[start : start+int(s.literals)] {
			t.literals[literal]++
		}
		start += int(s.literals) + int(s.length)
		if s.length > 0 {
			t.literals[deflate.FirstLength+int(lengthCodeOf(s.length))]++
			t.distances[distanceCodeOf(s.distance)]++
		}
	}
}
