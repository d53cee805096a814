package gpu_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"tileserver/gpu"
)

func TestNumbersAreWordsOrHalvesOfThem(t *testing.T) {
	all := []int32{0, 1, -1, math.MaxInt16, math.MinInt16, 77, -1000, 2, -30_000}
	for count := range len(all) + 1 {
		want := all[:count]
		var words, halves []byte
		for _, v := range want {
			words = binary.LittleEndian.AppendUint32(words, uint32(v))
			halves = binary.LittleEndian.AppendUint16(halves, uint16(v))
		}
		for _, output := range [][]byte{words, halves} {
			got := make([]int32, count)
			if gpu.ReadNumbers(output, got); !slices.Equal(got, want) {
				t.Errorf("%d bytes are %v, want %v", len(output), got, want)
			}
		}
	}
	long := []int32{0}
	if gpu.ReadNumbers([]byte{1, 0, 0, 0x80}, long); long[0] != math.MinInt32+1 {
		t.Errorf("got %d, want %d", long[0], math.MinInt32+1)
	}
}
