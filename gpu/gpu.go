// Package gpu says what a device is to the rest of the program: something that runs a kernel over many
// small jobs at once. It lays out the memory of such a batch. Codecs describe their kernels and jobs with
// it, package decode/pool gathers jobs into batches, and the packages below it run them. It must never
// know rasters, codecs, processes, or the interface of a graphics driver.
//
// Words:
//
//   - A *kernel* is a program for devices, in WGSL. Its *entries* are the functions that steps start.
//   - A *job* is a unit of work for a kernel: parameters, an input, an output, and memory in between.
//   - A *step* is one dispatch of an entry.
//   - A *batch* is jobs of one kernel that share one upload, one submission of steps, one wait and one
//     download, however many they are.
//   - An *adapter* is a device as its driver describes it.
package gpu

import (
	"context"
	"errors"
)

// Kernel is a program for devices. All its entries see the same four buffers, which Header declares. The
// array jobs is as long as there are jobs. Output and scratch are zeros before the first step.
type Kernel struct {
	Name   string
	Source string // WGSL: a Header, and the functions of the kernel

	// Steps returns the steps that do all of the given jobs.
	Steps func(jobs []Job) []Step
}

// Step is one dispatch. A kernel that has much to do per job keeps its state in scratch memory and goes
// on in the next step, since a device gives up on a dispatch that takes seconds.
//
// Devices take only so many workgroups in a row. So they come in rows, and there may be a few more of them
// than Groups. The function groupNumber of Header returns the number of one.
type Step struct {
	Entry  string
	Groups uint32 // workgroups
}

// The status of a job. A kernel may have others of its own; each says that the output must not be used.
const (
	NotDone uint32 = iota
	Done
	Damaged
)

// Adapter describes a device.
type Adapter struct {
	Name       string
	Driver     string
	Backend    string // Vulkan, Metal or D3D12
	IsSoftware bool   // it computes on the cores
	Limits     Limits
}

// Limits bound the memory of a batch.
type Limits struct {
	BindingBytes int64 // of each buffer
	BatchBytes   int64 // of all its buffers
}

// Executor runs batches on a device. Goroutines may share it.
type Executor interface {
	// Adapter describes the device. It starts a device that is asleep.
	Adapter(ctx context.Context) (Adapter, error)

	// Begin lays out a batch in memory that the device reads. It waits for room while other batches use
	// it. It fails with ErrTooLarge if there can never be enough.
	Begin(ctx context.Context, kernel *Kernel, jobs []Job) (*Batch, error)

	// Run runs the steps of a batch, whose inputs the caller has written. Once it returns nil, outputs and
	// states can be read until End.
	Run(ctx context.Context, batch *Batch) error

	// End gives the memory of a batch back.
	End(batch *Batch)

	// Close stops the device.
	Close() error
}

// Runner runs batches on a device of its own process. Executors use it: a driver may end its process on
// errors, so that it is best kept in another one than theirs. Calls come one after the other.
type Runner interface {
	// Adapter describes the device. It is the same from open to close.
	Adapter() Adapter

	// Run runs steps and returns when all of the output is written, or an error. Steps and sizes come from
	// another process: an unknown entry is an error.
	Run(kernel *Kernel, steps []Step, buffers Buffers) error

	// FreeMemory gives memory on the device back, which the next batch takes again.
	FreeMemory()

	// Close gives everything of the device back.
	Close() error
}

// Buffers are what a kernel sees of a batch. Sizes are multiples of four. The output may hold anything
// before it is written.
type Buffers struct {
	Records, Input, Output []byte

	ScratchBytes int64
}

var (
	// ErrNoDevice means that the machine or the build has no device.
	ErrNoDevice = errors.New("no GPU")

	// ErrTooLarge means that a batch does not fit into the memory of the device.
	ErrTooLarge = errors.New("batch too large for the GPU")

	// ErrNotDone means that a device has not done a job, which is left to the cores.
	ErrNotDone = errors.New("the GPU did not do the job")

	// ErrDown means that the device failed a moment ago, or is being started.
	ErrDown = errors.New("the GPU is down")
)
