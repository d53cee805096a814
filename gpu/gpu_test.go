package gpu_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"tileserver/gpu"
)

func TestBatchPacksJobsBehindEachOther(t *testing.T) {
	inputs := [][]byte{{1, 2, 3}, {}, {4, 5, 6, 7, 8}}
	b, err := gpu.NewBatch("copy", inputs, []int64{10, 0, 3}, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Input) != 4+8 || len(b.Output) != 12+4 || len(b.Status) != 3 {
		t.Errorf("%d bytes in, %d out, %d states; want 12, 16 and 3", len(b.Input), len(b.Output), len(b.Status))
	}
	for i, input := range inputs {
		s := b.Inputs[i]
		if got := b.Input[s.Offset : s.Offset+s.Length]; !bytes.Equal(got, input) {
			t.Errorf("job %d reads %v, want %v", i, got, input)
		}
		if s.Offset%4 != 0 || b.Outputs[i].Offset%4 != 0 {
			t.Errorf("job %d is not on a word: %v and %v", i, s, b.Outputs[i])
		}
	}
}

func TestBatchIsRefusedBeforeItIsAllocated(t *testing.T) {
	for name, outputs := range map[string][]int64{
		"over the limit": {1 << 20, 1 << 40},
		"sum overflows":  {math.MaxInt64 - 8, math.MaxInt64 - 8},
		"negative":       {-1, 4},
	} {
		if _, err := gpu.NewBatch("k", [][]byte{nil, nil}, outputs, 1<<30); !errors.Is(err, gpu.ErrTooLarge) {
			t.Errorf("%s: got the error %v, want %v", name, err, gpu.ErrTooLarge)
		}
	}
	if _, err := gpu.NewBatch("k", [][]byte{nil}, nil, 1<<30); err == nil {
		t.Error("an input without an output was taken")
	}
}

func TestNoneRunsNothing(t *testing.T) {
	var none gpu.None
	if err := none.Run(context.Background(), new(gpu.Batch)); !errors.Is(err, gpu.ErrNoDevice) || none.FreeBytes() != 0 {
		t.Errorf("the error is %v and %d bytes are free", err, none.FreeBytes())
	}
}
