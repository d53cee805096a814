//go:build gpu && cgo

package webgpu_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/webgpu"
	"tileserver/gpu/webgpu/webgputest"
)

func TestJobsOfABatchRunInSteps(t *testing.T) {
	runner := webgputest.Open(t)
	// 70,000 workgroups are more than a row has.
	for _, count := range []int{1, 7, 500, 70_000, 3} {
		s := newSums(uint64(count), count)
		s.check(t, gputest.Run(t, runner, adder, s.jobs, s.inputs))
	}
}

func TestAdaptersAreDescribedAsWhatIsOpened(t *testing.T) {
	runner := webgputest.Open(t)
	adapters, err := webgpu.Adapters()
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range adapters {
		t.Logf("adapter %d: %+v", i, a)
		if a.Name == "" || a.Driver == "" || a.Backend == "" || a.Limits.BindingBytes < 64<<20 {
			t.Errorf("adapter %d is %+v", i, a)
		}
	}
	opened := runner.Adapter()
	if opened.Limits.BatchBytes <= 0 {
		t.Errorf("a batch may have %d bytes", opened.Limits.BatchBytes)
	}
	if opened.Limits.BatchBytes = 0; opened != adapters[0] {
		t.Errorf("adapter 0 is %+v, opened as %+v", adapters[0], opened)
	}
	for _, index := range []int{-1, len(adapters)} {
		if _, err := webgpu.Open(index, 1<<20); !errors.Is(err, gpu.ErrNoDevice) {
			t.Errorf("adapter %d opens with %v", index, err)
		}
	}
}

func TestWhatIsWrongWithAKernelIsAnErrorAndNoMore(t *testing.T) {
	runner := webgputest.Open(t)
	s := newSums(1, 9)
	for _, c := range []struct {
		name, source string
		step         gpu.Step
		message      string
	}{
		{"no WGSL", "this is no WGSL", gpu.Step{Entry: "add", Groups: 1}, "entry \"add\""},
		{"no source", "", gpu.Step{Entry: "add", Groups: 1}, "nothing"},
		{"no such entry", adderSource, gpu.Step{Entry: "subtract", Groups: 1}, "entry \"subtract\""},
		{"no entry", adderSource, gpu.Step{Groups: 1}, "nothing"},
		{
			"a buffer that there is not",
			strings.Replace(adderSource, "@binding(3)", "@binding(4)", 1), gpu.Step{Entry: "add", Groups: 1}, "entry \"add\"",
		},
		{"more workgroups than rows of them", adderSource, gpu.Step{Entry: "add", Groups: math.MaxUint32}, "group"},
	} {
		kernel := &gpu.Kernel{Name: "wrong", Source: c.source}
		err := runner.Run(kernel, []gpu.Step{c.step}, gpu.Buffers{Records: make([]byte, 48), Output: make([]byte, 4)})
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: the error is %v, want one with %q", c.name, err, c.message)
		}
		s.check(t, gputest.Run(t, runner, adder, s.jobs, s.inputs))
	}
}

func TestABatchThatIsTooLargeIsAnErrorAndNoMore(t *testing.T) {
	runner := webgputest.Open(t)
	err := runner.Run(adder, adder.Steps(make([]gpu.Job, 1)), gpu.Buffers{Records: make([]byte, 48), ScratchBytes: 1 << 40})
	if !errors.Is(err, gpu.ErrTooLarge) {
		t.Errorf("got %v, want %v", err, gpu.ErrTooLarge)
	}
	s := newSums(1, 9)
	s.check(t, gputest.Run(t, runner, adder, s.jobs, s.inputs))
}

// The collector moves and frees what the library may still write to, if the library was handed memory of Go.
func TestBatchesSurviveTheGarbageCollector(t *testing.T) {
	rounds := 10_000
	if testing.Short() {
		rounds = 500
	}
	runner := webgputest.Open(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for garbage := [][]byte(nil); ; garbage = append(garbage[max(len(garbage)-99, 0):], make([]byte, 4096)) {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	s := newSums(2, 30)
	for range rounds {
		s.check(t, gputest.Run(t, runner, adder, s.jobs, s.inputs))
	}
	close(stop)
	<-stopped
}
