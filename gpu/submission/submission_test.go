package submission_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/submission"
)

// twice is a kernel of two entries, the second of which runs twice.
var twice = &gpu.Kernel{Name: "twice", Source: "source", Steps: func(jobs []gpu.Job) []gpu.Step {
	groups := uint32(len(jobs))
	return []gpu.Step{{Entry: "begin", Groups: groups}, {Entry: "go on", Groups: groups}, {Entry: "go on", Groups: 1}}
}}

const (
	budget    = 64 << 20
	maxBuffer = 16 << 20
	maxGroups = 100
)

func newRunner(device submission.Device) *submission.Runner {
	return submission.NewRunner(device, submission.Config{
		Adapter:   gpu.Adapter{Name: "recorder", Limits: gpu.Limits{BindingBytes: maxBuffer}},
		MaxGroups: maxGroups, Budget: budget, Patience: time.Minute,
	})
}

// batchOf returns a batch of jobs of several sizes.
func batchOf(t *testing.T, runner gpu.Runner, count int) *gpu.Batch {
	t.Helper()
	jobs := make([]gpu.Job, count)
	for i := range jobs {
		jobs[i] = gpu.Job{Input: int64(1 + i%700), Output: 4096, Scratch: 100}
	}
	layout, err := gpu.LayOut(jobs, runner.Adapter().Limits)
	if err != nil {
		t.Fatal(err)
	}
	return gpu.NewBatch(twice, jobs, layout, make([]byte, layout.SharedBytes()))
}

func run(runner gpu.Runner, b *gpu.Batch) error {
	return runner.Run(b.Kernel, b.Steps, gpu.Buffers{Records: b.Records, Input: b.Input, Output: b.Output, ScratchBytes: b.ScratchBytes})
}

func TestABatchIsOneSubmissionAndOneWaitHoweverManyJobsItHas(t *testing.T) {
	for _, count := range []int{1, 7, 500} {
		device := newRecorder()
		runner := newRunner(device)
		if err := run(runner, batchOf(t, runner, count)); err != nil {
			t.Fatal(err)
		}
		device.check(t, "a batch", map[string]int{"allocate": 5, "compile": 2, "write": 2, "submit": 1, "wait": 1})
		if err := run(runner, batchOf(t, runner, count)); err != nil {
			t.Fatal(err)
		}
		device.check(t, "the same again", map[string]int{"write": 2, "submit": 1, "wait": 1})
		if err := runner.Close(); err != nil || device.open != 0 {
			t.Errorf("%d buffers and pipelines are left, and the error %v", device.open, err)
		}
		device.check(t, "the end", map[string]int{"close": 1})
	}
}

func TestCommandsClearDispatchAndCopyWhatTheBatchHas(t *testing.T) {
	device := newRecorder()
	runner := newRunner(device)
	b := batchOf(t, runner, 501)
	if err := run(runner, b); err != nil {
		t.Fatal(err)
	}
	c := device.commands
	sizes := []int64{b.RecordBytes(), b.InputBytes, b.OutputBytes, b.ScratchBytes}
	for i, binding := range c.Bindings {
		if binding.Bytes != sizes[i] {
			t.Errorf("binding %d has %d bytes, want %d", i, binding.Bytes, sizes[i])
		}
	}
	if !slices.Equal(c.Clear, c.Bindings[2:]) {
		t.Errorf("%v is cleared, want output and scratch", c.Clear)
	}
	if c.From != c.Bindings[2] || c.To.Bytes != b.OutputBytes || c.To.Buffer.(*recordedBuffer).use != submission.Landing {
		t.Errorf("%v is copied to %v", c.From, c.To)
	}
	var got []any
	for _, d := range c.Dispatches {
		got = append(got, d.Pipeline.(*recordedPipeline).entry, d.Columns, d.Rows)
	}
	// The least number of rows that have room for 501 groups, of at most 100, has six.
	if want := []any{"begin", uint32(84), uint32(6), "go on", uint32(84), uint32(6), "go on", uint32(1), uint32(1)}; !slices.Equal(got, want) {
		t.Errorf("the dispatches are %v, want %v", got, want)
	}
}

func TestRowsHaveRoomForAllGroups(t *testing.T) {
	step := func(groups uint32) []gpu.Step { return []gpu.Step{{Entry: "begin", Groups: groups}} }
	for _, groups := range []uint32{0, 1, 99, 100, 101, 9_999, 10_000, 10_001, math.MaxUint32} {
		device := newRecorder()
		runner := newRunner(device)
		b := batchOf(t, runner, 1)
		b.Steps = step(groups)
		if err := run(runner, b); err != nil {
			t.Fatal(err)
		}
		d := device.commands.Dispatches[0]
		if room := uint64(d.Columns) * uint64(d.Rows); d.Columns > maxGroups || room < uint64(groups) || room >= uint64(groups)+uint64(d.Rows) {
			t.Errorf("%d groups are %d rows of %d", groups, d.Rows, d.Columns)
		}
	}
}

func TestWhatIsTooLargeIsRefusedBeforeAnythingIsAllocated(t *testing.T) {
	for name, buffers := range map[string]gpu.Buffers{
		"an output over the limit of buffers": {Records: make([]byte, 48), Output: make([]byte, maxBuffer+4)},
		"scratch over the limit of buffers":   {Records: make([]byte, 48), ScratchBytes: maxBuffer + 4},
		"scratch without bound":               {Records: make([]byte, 48), ScratchBytes: math.MaxInt64 &^ 3},
		"more than the budget, counting what drivers keep of uploads": {
			Records: make([]byte, 48), Input: make([]byte, maxBuffer), Output: make([]byte, 12<<20), ScratchBytes: 12 << 20,
		},
	} {
		device := newRecorder()
		err := newRunner(device).Run(twice, twice.Steps(make([]gpu.Job, 1)), buffers)
		if !errors.Is(err, gpu.ErrTooLarge) {
			t.Errorf("%s: got %v, want %v", name, err, gpu.ErrTooLarge)
		}
		device.check(t, name, nil)
	}
	for name, buffers := range map[string]gpu.Buffers{
		"an odd size":     {Records: make([]byte, 48), Input: make([]byte, 3)},
		"a negative size": {Records: make([]byte, 48), ScratchBytes: -4},
	} {
		device := newRecorder()
		if err := newRunner(device).Run(twice, nil, buffers); err == nil {
			t.Errorf("%s is accepted", name)
		}
		device.check(t, name, nil)
	}
}

func TestEveryBatchWithinTheLimitsOfTheAdapterRuns(t *testing.T) {
	device := newRecorder()
	runner := newRunner(device)
	limits := runner.Adapter().Limits
	half := (limits.BatchBytes - 48) / 2 &^ 3
	for _, b := range []gpu.Buffers{
		{Records: make([]byte, 48), Input: make([]byte, half), Output: make([]byte, half)},
		{Records: make([]byte, 48), Output: make([]byte, half), ScratchBytes: half},
		{Records: make([]byte, 48)},
	} {
		if err := runner.Run(twice, nil, b); err != nil {
			t.Errorf("%d, %d and %d bytes, of %+v: %v", len(b.Input), len(b.Output), b.ScratchBytes, limits, err)
		}
		if device.live > budget {
			t.Errorf("%d bytes are allocated, with a budget of %d", device.live, budget)
		}
	}
}

func TestBuffersStayForSmallerBatchesAndWithinTheBudget(t *testing.T) {
	device := newRecorder()
	runner := newRunner(device)
	for _, step := range []struct{ jobs, allocated int }{{1000, 5}, {900, 0}, {7, 0}, {1001, 0}, {3000, 5}, {1, 0}} {
		if err := run(runner, batchOf(t, runner, step.jobs)); err != nil {
			t.Fatal(err)
		}
		if got := device.calls["allocate"]; got != step.allocated {
			t.Errorf("%d buffers are allocated for %d jobs, want %d", got, step.jobs, step.allocated)
		}
		clear(device.calls)
	}
	// What an earlier batch needed much of, a later one may not find room beside.
	for _, scratch := range []int64{maxBuffer, 4, maxBuffer} {
		for _, output := range []int{8 << 20, maxBuffer - 4096, 1 << 20} {
			if err := runner.Run(twice, nil, gpu.Buffers{Records: make([]byte, 48), Output: make([]byte, output), ScratchBytes: scratch}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if device.most > budget {
		t.Errorf("%d bytes were allocated at a time, with a budget of %d", device.most, budget)
	}
	runner.FreeMemory()
	if device.live != 0 {
		t.Errorf("%d bytes are allocated when memory was freed", device.live)
	}
}

func TestABatchAfterAFailureRuns(t *testing.T) {
	for _, call := range []string{"allocate", "compile", "write", "submit", "wait"} {
		device := newRecorder()
		runner := newRunner(device)
		b := batchOf(t, runner, 7)
		device.fail = call
		if err := run(runner, b); err == nil || err.Error() == "" {
			t.Errorf("the failure of %s is lost", call)
		}
		device.fail = ""
		if err := run(runner, b); err != nil {
			t.Errorf("after a failure of %s: %v", call, err)
		}
		if err := runner.Close(); err != nil || device.open != 0 {
			t.Errorf("after a failure of %s, %d buffers and pipelines are left, and the error %v", call, device.open, err)
		}
	}
}

func TestABatchWithoutJobsAsksNothingOfTheDevice(t *testing.T) {
	device := newRecorder()
	if err := newRunner(device).Run(twice, nil, gpu.Buffers{}); err != nil {
		t.Error(err)
	}
	device.check(t, "nothing", nil)
}

// A device that goes on after it was given up writes to its memory, so that neither another batch nor the
// memory's release is safe.
func TestNothingRunsOnADeviceThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		device := newRecorder()
		runner := newRunner(device)
		b := batchOf(t, runner, 7)
		device.hangs = true
		began := time.Now()
		first := run(runner, b)
		if took := time.Since(began); first == nil || took != time.Minute {
			t.Errorf("got %v after %v, want an error after a minute", first, took)
		}
		clear(device.calls)
		if err := run(runner, b); err == nil {
			t.Error("the device that hangs gets another batch")
		}
		runner.FreeMemory()
		if err := runner.Close(); err == nil {
			t.Error("the device that hangs is closed")
		}
		device.check(t, "a device that hangs", nil)
		if device.open == 0 {
			t.Error("memory that the device writes to is released")
		}
	})
}
