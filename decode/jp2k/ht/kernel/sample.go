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

// Sample returns typical code-blocks.
func Sample(jobs int) trial.Work {
	few := sampleBlocks()
	s := &sample{blocks: make([]*ht.Block, jobs), jobs: make([]gpu.Job, jobs), onCore: make([][]int32, jobs)}
	for i := range jobs {
		s.blocks[i] = &few[i%len(few)]
		s.jobs[i], _ = JobOf(s.blocks[i]) // they are sound
	}
	return s
}

// sample is code-blocks as work for a trial.
type sample struct {
	blocks  []*ht.Block
	jobs    []gpu.Job
	onCore  [][]int32 // what a core made of each
	read    []int32   // what the device made of one
	decoder ht.Decoder
}

func (s *sample) Kernel() *gpu.Kernel         { return CodeBlocks }
func (s *sample) Jobs() []gpu.Job             { return s.jobs }
func (s *sample) Write(job int, input []byte) { Write(s.blocks[job], input) }

// Do decodes a code-block.
func (s *sample) Do(job int) {
	b := s.blocks[job]
	s.onCore[job] = make([]int32, b.Width*b.Height)
	_ = s.decoder.Decode(b, s.onCore[job])
}

// Read reads the samples of a code-block that a device has decoded.
func (s *sample) Read(job int, status uint32, output []byte) error {
	s.read = slices.Grow(s.read[:0], len(s.onCore[job]))[:len(s.onCore[job])]
	return Read(status, output, s.read)
}

var errOtherSamples = errors.New("other samples")

// Check compares the samples of a device with those of a core.
func (s *sample) Check(job int) error {
	if !slices.Equal(s.read, s.onCore[job]) {
		return errOtherSamples
	}
	return nil
}
