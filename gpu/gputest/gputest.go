// Package gputest helps to test kernels and what runs them. It has a device whose kernels are Go functions,
// which run in the process of the test.
package gputest

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"tileserver/gpu"
)

// Memory is the buffers of a batch, as a kernel sees them.
type Memory struct{ Records, Input, Output, Scratch []uint32 }

// Job is the record of a job.
type Job struct {
	Input, InputBytes, Output, Scratch uint32
	Parameters                         []uint32
}

// Jobs returns the number of jobs.
func (m *Memory) Jobs() int { return len(m.Records) / gpu.RecordWords }

// Job returns the record of a job.
func (m *Memory) Job(number int) Job {
	r := m.Records[gpu.RecordWords*number:][:gpu.RecordWords]
	return Job{Input: r[0], InputBytes: r[1], Output: r[2], Scratch: r[3], Parameters: r[4:]}
}

// Entry is a kernel's entry in Go: what one invocation does, for one job.
type Entry func(job int, m *Memory)

// Entries are the entries of kernels, by the names of both.
type Entries map[string]map[string]Entry

// Run runs the steps of a batch as gpu.Runner.Run does.
func (e Entries) Run(kernel *gpu.Kernel, steps []gpu.Step, b gpu.Buffers) error {
	m := &Memory{
		Records: words(b.Records), Input: words(b.Input),
		Output: make([]uint32, len(b.Output)/gpu.WordBytes), Scratch: make([]uint32, b.ScratchBytes/gpu.WordBytes),
	}
	for _, step := range steps {
		entry := e[kernel.Name][step.Entry]
		if entry == nil {
			return fmt.Errorf("the kernel %q has no entry %q", kernel.Name, step.Entry)
		}
		for job := range m.Jobs() {
			entry(job, m)
		}
	}
	for i, word := range m.Output {
		binary.LittleEndian.PutUint32(b.Output[gpu.WordBytes*i:], word)
	}
	return nil
}

func words(b []byte) []uint32 {
	words := make([]uint32, len(b)/gpu.WordBytes)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[gpu.WordBytes*i:])
	}
	return words
}

// Runner is a gpu.Runner.
type Runner struct {
	Entries     // has Run
	Description gpu.Adapter
}

var _ gpu.Runner = Runner{}

// NewRunner returns a runner of ample memory.
func NewRunner(entries Entries) Runner {
	return Runner{entries, gpu.Adapter{Name: "test", Limits: gpu.Limits{BindingBytes: 1 << 30, BatchBytes: 1 << 30}}}
}

// Adapter returns the description.
func (r Runner) Adapter() gpu.Adapter { return r.Description }

// FreeMemory does nothing.
func (Runner) FreeMemory() {}

// Close does nothing.
func (Runner) Close() error { return nil }

// Device is a gpu.Executor. It runs one batch at a time.
type Device struct {
	Entries     Entries
	Description gpu.Adapter

	// Before is called before each batch, and may fail it. It may be nil.
	Before func(batch *gpu.Batch) error

	running chan struct{} // holds a token while a batch runs; tests with a clock of their own cannot wait for a mutex

	mu     sync.Mutex // guards the fields below
	sizes  []int      // jobs of the batches that ran
	open   int        // batches that have begun and not ended
	failed []error    // of batches, but for those that Before failed
}

// NewDevice returns a device of ample memory.
func NewDevice(entries Entries) *Device {
	return &Device{
		Entries:     entries,
		running:     make(chan struct{}, 1),
		Description: gpu.Adapter{Name: "test", Limits: gpu.Limits{BindingBytes: 128 << 20, BatchBytes: 512 << 20}},
	}
}

var _ gpu.Executor = (*Device)(nil)

// Adapter returns the description.
func (d *Device) Adapter(context.Context) (gpu.Adapter, error) { return d.Description, nil }

// Begin lays out a batch.
func (d *Device) Begin(_ context.Context, kernel *gpu.Kernel, jobs []gpu.Job) (*gpu.Batch, error) {
	layout, err := gpu.LayOut(jobs, d.Description.Limits)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open++
	return gpu.NewBatch(kernel, jobs, layout, make([]byte, layout.SharedBytes())), nil
}

// Run runs a batch.
func (d *Device) Run(ctx context.Context, batch *gpu.Batch) error {
	d.running <- struct{}{}
	defer func() { <-d.running }()
	if d.Before != nil {
		if err := d.Before(batch); err != nil {
			return err
		}
	}
	buffers := gpu.Buffers{Records: batch.Records, Input: batch.Input, Output: batch.Output, ScratchBytes: batch.ScratchBytes}
	err := d.Entries.Run(batch.Kernel, batch.Steps, buffers)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.failed = append(d.failed, err)
		return err
	}
	d.sizes = append(d.sizes, batch.Jobs())
	return context.Cause(ctx)
}

// End ends a batch.
func (d *Device) End(*gpu.Batch) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
}

// Close does nothing.
func (d *Device) Close() error { return nil }

// Sizes returns how many jobs the batches had that ran.
func (d *Device) Sizes() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sizes)
}

// Failed returns the errors of batches that Before did not fail, as those of a kernel that has no entries.
func (d *Device) Failed() []error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.failed)
}

// Open returns how many batches have begun and not ended.
func (d *Device) Open() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open
}
