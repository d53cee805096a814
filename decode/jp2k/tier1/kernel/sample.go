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
// passes. A few of them make all jobs.
func Sample(jobs int) trial.Work {
	few := make([]sampled, 0)
	for _, b := range sampleBlocks() {
		few = append(few, sampled{b, make([]int32, b.Width*b.Height)})
	}
	s := &sample{blocks: make([]*sampled, jobs), jobs: make([]gpu.Job, jobs)}
	for i := range s.blocks {
		s.blocks[i] = &few[i%len(few)]
	}
	slices.SortStableFunc(s.blocks, func(a, b *sampled) int { return b.Passes - a.Passes })
	for i, b := range s.blocks {
		s.jobs[i], _ = JobOf(&b.Block) // they are sound
	}
	return s
}

// sample is code-blocks as work for a trial.
type sample struct {
	blocks  []*sampled
	jobs    []gpu.Job
	read    []int32 // what the device made of one
	decoder tier1.Decoder
}

// sampled is a code-block and what a core made of it.
type sampled struct {
	tier1.Block
	onCore []int32
}

func (s *sample) Kernel() *gpu.Kernel         { return CodeBlocks }
func (s *sample) Jobs() []gpu.Job             { return s.jobs }
func (s *sample) Write(job int, input []byte) { Write(&s.blocks[job].Block, input) }

// Do decodes a code-block.
func (s *sample) Do(job int) {
	b := s.blocks[job]
	_ = s.decoder.Decode(&b.Block, b.onCore)
}

// Read reads the coefficients of a code-block that a device has decoded.
func (s *sample) Read(job int, status uint32, output []byte) error {
	n := len(s.blocks[job].onCore)
	s.read = slices.Grow(s.read[:0], n)[:n]
	return gpu.ReadNumbers(status, output, s.read)
}

var errOtherCoefficients = errors.New("other coefficients")

// Check compares the coefficients of a device with those of a core.
func (s *sample) Check(job int) error {
	if !slices.Equal(s.read, s.blocks[job].onCore) {
		return errOtherCoefficients
	}
	return nil
}
