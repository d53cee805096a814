package kernel

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"tileserver/decode/jp2k/ht/httest"
	"tileserver/decode/jp2k/ht/kernel/kerneltest"
	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
)

var update = flag.Bool("update", false, "write sample.bin")

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
	coded := codedSample()
	if *update {
		if err := os.WriteFile("sample.bin", coded, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(coded, sampleBytes) {
		t.Error("sample.bin is not up to date: run \"go test ./decode/jp2k/ht/kernel -update\"")
	}
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	device := gputest.NewDevice(gputest.Entries{CodeBlocks.Name: kerneltest.Entries()})
	results, err := trial.Run(t.Context(), device, Sample, []int{1, 30})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Jobs != 1 || results[1].Jobs != 30 || results[1].Work < 20*results[0].Work {
		t.Errorf("the results are %+v", results)
	}
}
