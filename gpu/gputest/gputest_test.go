package gputest_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
)

// adder adds the parameter of a job to a word of its input, once in each of three steps.
var adder = &gpu.Kernel{Name: "adder", Steps: func([]gpu.Job) []gpu.Step {
	return slices.Repeat([]gpu.Step{{Entry: "add", Groups: 1}}, 3)
}}

func add(number int, m *gputest.Memory) {
	job := m.Job(number)
	m.Scratch[job.Scratch] += job.Parameters[0]
	m.Output[job.Output] = m.Input[job.Input] + m.Scratch[job.Scratch]
	m.Output[number] = gpu.Done
}

func TestTheDeviceRunsStepsOverJobs(t *testing.T) {
	d := gputest.NewDevice(gputest.Entries{"adder": {"add": add}})
	jobs := []gpu.Job{{Parameters: [8]uint32{1}, Input: 4, Output: 4, Scratch: 4}, {Parameters: [8]uint32{10}, Input: 4, Output: 4, Scratch: 4}}
	b, err := d.Begin(t.Context(), adder, jobs)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint32(b.InputOf(0), 100)
	binary.LittleEndian.PutUint32(b.InputOf(1), 200)
	if err := d.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if first, second := binary.LittleEndian.Uint32(b.OutputOf(0)), binary.LittleEndian.Uint32(b.OutputOf(1)); first != 103 || second != 230 {
		t.Errorf("the jobs gave %d and %d, want 103 and 230", first, second)
	}
	if b.Status(0) != gpu.Done || b.Status(1) != gpu.Done || !slices.Equal(d.Sizes(), []int{2}) || d.Open() != 1 {
		t.Errorf("states %d and %d, batches %v, %d open", b.Status(0), b.Status(1), d.Sizes(), d.Open())
	}
	d.End(b)
	broken := errors.New("broken")
	d.Before = func(*gpu.Batch) error { return broken }
	b, _ = d.Begin(t.Context(), adder, jobs)
	if err := d.Run(t.Context(), b); !errors.Is(err, broken) || len(d.Sizes()) != 1 {
		t.Errorf("got %v and batches %v, want none more", err, d.Sizes())
	}
}
