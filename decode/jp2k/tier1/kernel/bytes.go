package kernel

import (
	"encoding/binary"
	"iter"

	"tileserver/decode/jp2k/tier1"
	"tileserver/gpu"
)

// codewords gives the codewords that passes need, each with the number of the first pass after it.
func codewords(b *tier1.Block) iter.Seq2[int, []byte] {
	return func(yield func(until int, codeword []byte) bool) {
		until, data := 0, b.Data
		for _, s := range b.Segments {
			n := min(s.Passes, b.Passes-until)
			codeword := data[:min(s.Length, len(data))]
			until, data = until+n, data[len(codeword):]
			if n > 0 && !yield(until, codeword) {
				return
			}
		}
	}
}

// Write writes the input of a code-block: for each codeword, the number of the first pass after
// it and its size in words, then the codewords without their stuffed bits.
func Write(b *tier1.Block, input []byte) {
	headers := 0
	for range codewords(b) {
		headers++
	}
	header, at := 0, gpu.WordBytes*wordsPerSegment*headers
	for until, codeword := range codewords(b) {
		plain, _ := tier1.Unstuff(input[at:at:at+gpu.WordBytes*wordsOf(codeword)], codeword, !b.IsRaw(until-1))
		binary.LittleEndian.PutUint32(input[header:], uint32(until))
		binary.LittleEndian.PutUint32(input[header+gpu.WordBytes:], uint32(len(plain)/gpu.WordBytes))
		header, at = header+gpu.WordBytes*wordsPerSegment, at+len(plain)
	}
}
