package kernel

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/ht/httest"
	"tileserver/decode/jp2k/ht/kernel/kerneltest"
	"tileserver/gpu/trial"
	"tileserver/gpu/trial/trialtest"
)

// codedSample encodes blocks as of the bands of a photograph: the larger a sample, the rarer it is, and the
// coarser the resolution, the larger they are.
func codedSample() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var coded bytes.Buffer
	for _, percent := range []int{50, 60, 67, 75, 80, 86, 91, 96} { // of samples that are larger by one
		for range 2 {
			s := httest.Samples{Width: 64, Height: 64, BitPlanes: 10, Passes: 1, Values: make([]int32, 64*64)}
			for i := range s.Values {
				for random.IntN(100) < percent {
					s.Values[i]++
				}
				s.Values[i] *= int32(1 - 2*random.IntN(2))
			}
			b := s.Encode()
			_ = binary.Write(&coded, binary.LittleEndian, sampleHeader{
				64, 64, uint16(b.BitPlanes), uint16(b.MissingBitPlanes), uint16(len(b.Cleanup)),
			})
			coded.Write(b.Cleanup)
		}
	}
	return coded.Bytes()
}

func TestSampleIsWhatTheEncoderMakes(t *testing.T) {
	trialtest.CheckFile(t, "sample.bin", sampleBytes, codedSample())
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	trialtest.CheckTwin(t, trial.Sample{Kernel: CodeBlocks, Work: Sample}, kerneltest.Entries())
}
