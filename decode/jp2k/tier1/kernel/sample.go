package kernel

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"slices"

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
func sampleBlocks() (blocks []tier1.Block) {
	for rest := sampleBytes; ; {
		var h sampleHeader
		n, err := binary.Decode(rest, binary.LittleEndian, &h)
		if err != nil {
			return blocks
		}
		codeword := rest[n:][:h.Bytes]
		rest = rest[n+len(codeword):]
		blocks = append(blocks, tier1.Block{
			Width: int(h.Width), Height: int(h.Height), Orientation: wavelet.Orientation(h.Orientation),
			BitPlanes: int(h.BitPlanes), Passes: int(h.Passes), Data: codeword,
			Segments: []tier1.Segment{{Passes: int(h.Passes), Length: len(codeword)}},
		})
	}
}

// Sample returns typical code-blocks, in the order in which a batch has them: neighbors have about as many
// passes.
func Sample(jobs int) trial.Work {
	few := sampleBlocks()
	s := &sample{blocks: make([]tier1.Block, jobs), jobs: make([]gpu.Job, jobs), onCore: make([][]int32, jobs)}
	for i := range s.blocks {
		s.blocks[i] = few[i%len(few)]
	}
	slices.SortStableFunc(s.blocks, func(a, b tier1.Block) int { return b.Passes - a.Passes })
	for i := range s.blocks {
		s.jobs[i], _ = JobOf(&s.blocks[i]) // they are sound
	}
	return s
}

// sample is code-blocks as work for a trial.
type sample struct {
	blocks  []tier1.Block
	jobs    []gpu.Job
	onCore  [][]int32 // what a core made of each
	read    []int32   // what the device made of one
	decoder tier1.Decoder
}

func (s *sample) Kernel() *gpu.Kernel         { return CodeBlocks }
func (s *sample) Jobs() []gpu.Job             { return s.jobs }
func (s *sample) Write(job int, input []byte) { Write(&s.blocks[job], input) }

// Do decodes a code-block.
func (s *sample) Do(job int) {
	b := &s.blocks[job]
	s.onCore[job] = make([]int32, b.Width*b.Height)
	_ = s.decoder.Decode(b, s.onCore[job])
}

// Read reads the coefficients of a code-block that a device has decoded.
func (s *sample) Read(job int, status uint32, output []byte) error {
	s.read = slices.Grow(s.read[:0], len(s.onCore[job]))[:len(s.onCore[job])]
	return Read(status, output, s.read)
}

var errOtherCoefficients = errors.New("other coefficients")

// Check compares the coefficients of a device with those of a core.
func (s *sample) Check(job int) error {
	if !slices.Equal(s.read, s.onCore[job]) {
		return errOtherCoefficients
	}
	return nil
}
