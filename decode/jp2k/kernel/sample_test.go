package kernel

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"tileserver/decode/jp2k/kernel/kerneltest"
	"tileserver/decode/jp2k/tier1/tier1test"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
)

var update = flag.Bool("update", false, "write sample.bin")

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
	coded := codedSample()
	if *update {
		if err := os.WriteFile("sample.bin", coded, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(coded, sampleBytes) {
		t.Error("sample.bin is not up to date: run \"go test ./decode/jp2k/kernel -update\"")
	}
}

func TestTheTwinPassesTheTrial(t *testing.T) {
	device := gputest.NewDevice(gputest.Entries{Tiles.Name: kerneltest.Entries()})
	results, err := trial.Run(t.Context(), device, Sample, []int{1, 30})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Jobs != 1 || results[1].Jobs != 30 || results[1].Work < 20*results[0].Work/2 {
		t.Errorf("the results are %+v", results)
	}
}
