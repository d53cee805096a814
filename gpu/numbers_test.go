package gpu_test

import (
	"encoding/binary"
	"errors"
	"fmt"
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
			got, short := make([]int32, count), make([]int16, count)
			err, shortErr := gpu.ReadNumbers(gpu.Done, output, got), gpu.ReadNumbers(gpu.Done, output, short)
			if err != nil || shortErr != nil || !slices.Equal(got, want) || fmt.Sprint(short) != fmt.Sprint(want) {
				t.Errorf("%d bytes are %v (%v), in 16 bits %v (%v); want %v", len(output), got, err, short, shortErr, want)
			}
		}
	}
	long := []int32{0}
	if err := gpu.ReadNumbers(gpu.Done, []byte{1, 0, 0, 0x80}, long); err != nil || long[0] != math.MinInt32+1 {
		t.Errorf("got %d (%v), want %d", long[0], err, math.MinInt32+1)
	}
}

func TestNumbersOfAJobThatIsNotDoneAreNotRead(t *testing.T) {
	for _, status := range []uint32{gpu.NotDone, gpu.Damaged, 7} {
		if err := gpu.ReadNumbers(status, make([]byte, 4), []int32{0}); !errors.Is(err, gpu.ErrNotDone) {
			t.Errorf("status %d: got %v, want %v", status, err, gpu.ErrNotDone)
		}
	}
}
