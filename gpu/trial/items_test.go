package trial_test

import (
	"encoding/binary"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/trial"
)

// numbers are items whose values are their negatives, twice.
func numbers(few ...uint32) trial.Items[uint32, uint32] {
	negative := func(_, _ uint32, output []byte, values []uint32) error {
		values[0] = binary.LittleEndian.Uint32(output)
		values[1] = values[0]
		return nil
	}
	return trial.Items[uint32, uint32]{
		Kernel: negate, Few: few, Order: func(a, b uint32) int { return int(b) - int(a) },
		Job:   func(n uint32) gpu.Job { return gpu.Job{Input: 4, Output: 4, Work: int64(n)} },
		Size:  func(uint32) int { return 2 },
		Write: func(n uint32, input []byte) { binary.LittleEndian.PutUint32(input, n) },
		Do:    func(n uint32, values []uint32) { values[0], values[1] = -n, -n },
		Read:  negative,
	}
}

func TestItemsMakeAllJobsInTheirOrder(t *testing.T) {
	work := numbers(5, 9, 7).Work(5)
	want := []int64{9, 9, 7, 5, 5}
	for i, job := range work.Jobs() {
		if job.Work != want[i] {
			t.Errorf("job %d has the work %d, want %d", i, job.Work, want[i])
		}
	}
	device := gputest.NewDevice(gputest.Entries{"negate": {"main": negateInGo}})
	results, err := trial.Run(t.Context(), device, trial.Sample{Kernel: negate, Work: numbers(5, 9, 7).Work}, []int{1, 5})
	if err != nil || results[0].Work != 5 || results[1].Work != 35 {
		t.Errorf("got %+v and %v", results, err)
	}
}

func TestItemsWithOtherValuesFail(t *testing.T) {
	work := numbers(5, 9).Work(2)
	work.Do(0)
	for _, test := range []struct {
		made   uint32
		isSame bool
	}{{9, true}, {8, false}} {
		if err := work.Read(0, gpu.Done, binary.LittleEndian.AppendUint32(nil, -test.made)); err != nil {
			t.Fatal(err)
		}
		if err := work.Check(0); (err == nil) != test.isSame {
			t.Errorf("%d in place of 9: %v", test.made, err)
		}
	}
}
