package trial_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/route"
	"tileserver/gpu/trial"
)

// negate is a kernel that negates a word.
var negate = &gpu.Kernel{Name: "negate", Steps: func([]gpu.Job) []gpu.Step { return []gpu.Step{{Entry: "main", Groups: 1}} }}

func negateInGo(job int, m *gputest.Memory) {
	m.Output[m.Job(job).Output] = -m.Input[m.Job(job).Input]
	m.Output[job] = gpu.Done
}

// negations are jobs whose core takes its time.
type negations struct {
	made []uint32
	read uint32
}

var sample = trial.Sample{Kernel: negate, Work: func(jobs int) trial.Work { return &negations{made: make([]uint32, jobs)} }}

func (n *negations) Kernel() *gpu.Kernel { return negate }

func (n *negations) Jobs() []gpu.Job {
	return slices.Repeat([]gpu.Job{{Input: 4, Output: 4, Work: 10}}, len(n.made))
}

func (n *negations) Write(job int, input []byte) { binary.LittleEndian.PutUint32(input, uint32(job)) }
func (n *negations) Do(job int)                  { n.made[job] = -uint32(job) }

func (n *negations) Read(_ int, status uint32, output []byte) error {
	if n.read = binary.LittleEndian.Uint32(output); status != gpu.Done {
		return errors.New("not done")
	}
	return nil
}

func (n *negations) Check(job int) error {
	if n.read != n.made[job] {
		return errors.New("not the negative")
	}
	return nil
}

func TestRunMeasuresEachSize(t *testing.T) {
	device := gputest.NewDevice(gputest.Entries{"negate": {"main": negateInGo}})
	results, err := trial.Run(t.Context(), device, sample, []int{2, 50})
	if err != nil || len(results) != 2 || device.Open() != 0 {
		t.Fatalf("%d results, the error %v, and %d batches did not end", len(results), err, device.Open())
	}
	if results[0].Jobs != 2 || results[0].Work != 20 || results[1].Jobs != 50 || results[1].Work != 500 || results[1].OnDevice <= 0 || results[1].Reading <= 0 {
		t.Errorf("the results are %+v", results)
	}
}

func TestSizesThatDoNotFitAreLeftOut(t *testing.T) {
	device := gputest.NewDevice(gputest.Entries{"negate": {"main": negateInGo}})
	device.Description.Limits.BindingBytes = 48*20 + 4 // the records of twenty jobs
	results, err := trial.Run(t.Context(), device, sample, []int{2, 20, 21, 50})
	if err != nil || len(results) != 2 || results[1].Jobs != 20 {
		t.Errorf("got %+v and %v", results, err)
	}
	if _, err := trial.Run(t.Context(), device, sample, []int{21}); !errors.Is(err, gpu.ErrTooLarge) {
		t.Errorf("got %v, want %v", err, gpu.ErrTooLarge)
	}
}

func TestADeviceThatComputesSomethingElseIsRefused(t *testing.T) {
	device := gputest.NewDevice(gputest.Entries{"negate": {"main": func(job int, m *gputest.Memory) {
		negateInGo(job, m)
		if job == 40 {
			m.Output[m.Job(job).Output]++
		}
	}}})
	if _, err := trial.Run(t.Context(), device, sample, []int{2, 50}); !errors.Is(err, trial.ErrWrong) || device.Open() != 0 {
		t.Errorf("got %v, and %d batches did not end; want %v", err, device.Open(), trial.ErrWrong)
	}
	device.Before = func(*gpu.Batch) error { return gpu.ErrDown }
	if _, err := trial.Run(t.Context(), device, sample, []int{2}); !errors.Is(err, gpu.ErrDown) || device.Open() != 0 {
		t.Errorf("got %v, and %d batches did not end; want %v", err, device.Open(), gpu.ErrDown)
	}
}

func TestCosts(t *testing.T) {
	costs := trial.Costs([]trial.Result{
		{Work: 1000, OnDevice: time.Millisecond, Reading: time.Millisecond, OnCore: 2 * time.Millisecond},
		{Work: 9000, OnDevice: 3 * time.Millisecond, Reading: 4 * time.Millisecond, OnCore: 28 * time.Millisecond},
	})
	want := route.Curve{{Work: 1000, Took: time.Millisecond}, {Work: 9000, Took: 3 * time.Millisecond}}
	if !slices.Equal(costs.OnDevice, want) || costs.Reading != time.Second/2 || costs.OnCore != 3*time.Second {
		t.Errorf("the costs are %+v", costs)
	}
}
