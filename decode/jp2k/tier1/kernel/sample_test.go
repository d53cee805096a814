package kernel

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/tier1/kernel/kerneltest"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu/trial"
	"tileserver/gpu/trial/trialtest"
)

// codedSample encodes blocks as of the bands of a photograph: the larger a coefficient, the rarer it is, and
// the coarser the resolution, the larger they are.
func codedSample() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var coded bytes.Buffer
	for _, percent := range []int{50, 60, 67, 75, 80, 86, 91, 96} { // of coefficients that are larger by one
		for _, band := range []wavelet.Orientation{wavelet.HL, wavelet.LH, wavelet.HH} {
			values := make([]int64, 64*64)
			for i := range values {
				for random.IntN(100) < percent {
					values[i]++
				}
				values[i] *= int64(1 - 2*random.IntN(2))
			}
			b := tier1test.Encode(values, 64, 64, band, 0)
			_ = binary.Write(&coded, binary.LittleEndian, sampleHeader{
				64, 64, uint16(band), uint16(b.BitPlanes), uint16(b.Passes), uint16(len(b.Data)),
			})
			coded.Write(b.Data)
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
