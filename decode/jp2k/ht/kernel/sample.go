package kernel

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"slices"

	"tileserver/decode/jp2k/ht"
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
func sampleBlocks() (blocks []ht.Block) {
	for rest := sampleBytes; ; {
		var h sampleHeader
		n, err := binary.Decode(rest, binary.LittleEndian, &h)
		if err != nil {
			return blocks
		}
		segment := rest[n:][:h.Bytes]
		rest = rest[n+len(segment):]
		blocks = append(blocks, ht.Block{
			Width: int(h.Width), Height: int(h.Height), BitPlanes: int(h.BitPlanes), MissingBitPlanes: int(h.MissingBitPlanes),
			Passes: 1, Cleanup: segment,
		})
	}
}

// Sample returns typical code-blocks. A few of them make all jobs.
func Sample(jobs int) trial.Work {
	few := make([]sampled, 0)
	for _, b := range sampleBlocks() {
		few = append(few, sampled{b, make([]int32, b.Width*b.Height)})
	}
	s := &sample{blocks: make([]*sampled, jobs), jobs: make([]gpu.Job, jobs)}
	for i := range jobs {
		s.blocks[i] = &few[i%len(few)]
		s.jobs[i], _ = JobOf(&s.blocks[i].Block) // they are sound
	}
	return s
}

// sample is code-blocks as work for a trial.
type sample struct {
	blocks  []*sampled
	jobs    []gpu.Job
	read    []int32 // what the device made of one
	decoder ht.Decoder
}

// sampled is a code-block and what a core made of it.
type sampled struct {
	ht.Block
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

// Read reads the samples of a code-block that a device has decoded.
func (s *sample) Read(job int, status uint32, output []byte) error {
	n := len(s.blocks[job].onCore)
	s.read = slices.Grow(s.read[:0], n)[:n]
	return gpu.ReadNumbers(status, output, s.read)
}

var errOtherSamples = errors.New("other samples")

// Check compares the samples of a device with those of a core.
func (s *sample) Check(job int) error {
	if !slices.Equal(s.read, s.blocks[job].onCore) {
		return errOtherSamples
	}
	return nil
}
