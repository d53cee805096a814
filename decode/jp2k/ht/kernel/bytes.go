package kernel

import (
	"encoding/binary"

	"tileserver/decode/jp2k/ht"
	"tileserver/gpu"
)

// Write writes the input of the job of a code-block: for each stream the number of the first word behind it,
// then the streams without their stuffed bits.
func Write(b *ht.Block, input []byte) {
	at := gpu.WordBytes * headerWords
	for s := range ht.Streams {
		at += gpu.WholeWords(b.Unstuff(s, input[at:]))
		binary.LittleEndian.PutUint32(input[gpu.WordBytes*int(s):], uint32(at/gpu.WordBytes))
	}
}
