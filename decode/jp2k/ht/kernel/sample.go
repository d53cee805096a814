package kernel

import (
	_ "embed"
	"encoding/binary"

	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// sampleBytes are typical code-blocks of a photograph without losses: a sampleHeader and a cleanup segment for
// each. A test writes them.
//
//go:embed sample.bin
var sampleBytes []byte

// sampleHeader comes before each segment.
type sampleHeader struct{ Width, Height, BitPlanes, MissingBitPlanes, Bytes uint16 }

// sampleBlocks returns the code-blocks of sampleBytes.
func sampleBlocks() (blocks []*ht.Block) {
	for rest := sampleBytes; ; {
		var h sampleHeader
		n, err := binary.Decode(rest, binary.LittleEndian, &h)
		if err != nil {
			return blocks
		}
		segment := rest[n:][:h.Bytes]
		rest = rest[n+len(segment):]
		blocks = append(blocks, &ht.Block{
			Width: int(h.Width), Height: int(h.Height), BitPlanes: int(h.BitPlanes), MissingBitPlanes: int(h.MissingBitPlanes),
			Passes: 1, Cleanup: segment,
		})
	}
}

// Sample returns typical code-blocks.
func Sample(jobs int) trial.Work {
	var decoder ht.Decoder
	var decoded [ht.MaxSamples]int32
	return trial.Items[*ht.Block, int16]{
		Kernel: CodeBlocks, Few: sampleBlocks(),
		Job: func(b *ht.Block) gpu.Job {
			job, _ := JobOf(b) // it is sound
			return job
		},
		Size:  func(b *ht.Block) int { return b.Width * b.Height },
		Write: Write,
		Do: func(b *ht.Block, samples []int16) {
			numbers := decoded[:len(samples)]
			_ = decoder.Decode(b, numbers)
			wavelet.Narrow(samples, numbers)
		},
		Read: func(_ *ht.Block, status uint32, output []byte, samples []int16) error {
			return gpu.ReadNumbers(status, output, samples)
		},
	}.Work(jobs)
}
