package kernel

import (
	"encoding/binary"
	"errors"

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

// ErrNotDecoded means that a code-block has to be decoded on a core after all.
var ErrNotDecoded = errors.New("the device did not decode the code-block")

// Read reads all samples of a code-block from the output of its job, as ht.Decoder.Decode writes them.
func Read(status uint32, output []byte, samples []int32) error {
	if status != gpu.Done {
		return ErrNotDecoded
	}
	gpu.ReadNumbers(output, samples)
	return nil
}
