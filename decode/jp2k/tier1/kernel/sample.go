package kernel

import (
	_ "embed"
	"encoding/binary"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu"
	"tileserver/gpu/trial"
)

// sampleBytes are typical code-blocks of a photograph without losses: a sampleHeader and a codeword for
// each. A test writes them.
//
//go:embed sample.bin
var sampleBytes []byte

// sampleHeader comes before each codeword.
type sampleHeader struct {
	Width, Height, Orientation, BitPlanes, Passes, Bytes uint16
}

// sampleBlocks returns the code-blocks of sampleBytes.
func sampleBlocks() (blocks []*tier1.Block) {
	for rest := sampleBytes; ; {
		var h sampleHeader
		n, err := binary.Decode(rest, binary.LittleEndian, &h)
		if err != nil {
			return blocks
		}
		codeword := rest[n:][:h.Bytes]
		rest = rest[n+len(codeword):]
		blocks = append(blocks, &tier1.Block{
			Width: int(h.Width), Height: int(h.Height), Orientation: wavelet.Orientation(h.Orientation),
			BitPlanes: int(h.BitPlanes), Passes: int(h.Passes), Data: codeword,
			Segments: []tier1.Segment{{Passes: int(h.Passes), Length: len(codeword)}},
		})
	}
}

// Sample returns typical code-blocks, in the order in which a batch has them: neighbors have about as many
// passes.
func Sample(jobs int) trial.Work {
	var decoder tier1.Decoder
	var decoded [tier1.MaxArea]int32
	return trial.Items[*tier1.Block, int16]{
		Kernel: CodeBlocks, Few: sampleBlocks(),
		Order: func(a, b *tier1.Block) int { return b.Passes - a.Passes },
		Job: func(b *tier1.Block) gpu.Job {
			job, _ := JobOf(b) // it is sound
			return job
		},
		Size:  func(b *tier1.Block) int { return b.Width * b.Height },
		Write: Write,
		Do: func(b *tier1.Block, coefficients []int16) {
			numbers := decoded[:len(coefficients)]
			_ = decoder.Decode(b, numbers)
			wavelet.Narrow(coefficients, numbers)
		},
		Read: func(_ *tier1.Block, status uint32, output []byte, coefficients []int16) error {
			return gpu.ReadNumbers(status, output, coefficients)
		},
	}.Work(jobs)
}
