package kernel

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/kernel/kerneltest"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu/trial"
	"tileserver/gpu/trial/trialtest"
)

// codedSample encodes tiles as of a photograph: the larger a coefficient, the rarer it is, and those of LL
// are the largest.
func codedSample() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var coded bytes.Buffer
	for _, percent := range []int{50, 60, 67, 75, 80, 86} { // of coefficients that are larger by one
		for band := range wavelet.Orientation(4) {
			larger := percent
			if band == wavelet.LL {
				larger = 97
			}
			values := make([]int64, sampleSide*sampleSide/4)
			for i := range values {
				for random.IntN(100) < larger {
					values[i]++
				}
				values[i] *= int64(1 - 2*random.IntN(2))
			}
			b := tier1test.Encode(values, sampleSide/2, sampleSide/2, band, 0)
			_ = binary.Write(&coded, binary.LittleEndian, sampleHeader{uint16(b.BitPlanes), uint16(b.Passes), uint16(len(b.Data))})
			coded.Write(b.Data)
		}
	}
	return coded.Bytes()
}

func TestSampleIsWhatTheEncoderMakes(t *testing.T) {
	trialtest.CheckFile(t, "sample.bin", sampleBytes, codedSample())
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	trialtest.CheckTwin(t, trial.Sample{Kernel: Tiles, Work: Sample}, kerneltest.Entries())
}
