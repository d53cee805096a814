// Package submission runs a batch of jobs as one submission to a device, however many jobs it has: two
// uploads, one list of commands, one wait and one download. It owns the memory of the device, which it
// keeps from one batch to the next within a budget, and the compiled kernels. Package webgpu gives it a
// device. It must never know the interface of a graphics driver, or what kernels compute.
//
// Words:
//
//   - A *pipeline* is an entry of a kernel, compiled for the device.
//   - *Commands* are what the device does in one submission.
//   - The *landing* is a buffer that the cores can read, to which the output is copied.
package submission

import "context"

// Device is what a submission needs of a graphics driver.
type Device interface {
	// NewBuffer allocates memory of the device. Its size is a multiple of four.
	NewBuffer(bytes int64, use Use) (Buffer, error)

	// NewPipeline compiles an entry of a kernel in WGSL.
	NewPipeline(source, entry string) (Pipeline, error)

	// Submit hands commands to the device, and does not wait for it.
	Submit(commands *Commands) error

	// Close gives the device back, after all that was made of it.
	Close()
}

// Buffer is memory of a device.
type Buffer interface {
	// Write copies data to the beginning of the buffer before the next submission.
	Write(data []byte) error

	// Read copies the beginning of the buffer after the last submission, for which it waits.
	Read(ctx context.Context, into []byte) error

	Release()
}

// Pipeline is a compiled entry.
type Pipeline interface{ Release() }

// Use is what a buffer is for.
type Use int

const (
	Upload  Use = iota // written by the cores, read by kernels
	Working            // written by kernels
	Landing            // copied to, and read by the cores
)

// Commands are one submission: buffers are cleared, kernels run one after the other, each sees what the
// one before it wrote, and the result is copied.
type Commands struct {
	Clear      []Range
	Bindings   [4]Range // of group 0
	Dispatches []Dispatch
	From, To   Range // what is copied, of the same size
}

// Range is the beginning of a buffer.
type Range struct {
	Buffer Buffer
	Bytes  int64
}

// Dispatch runs a pipeline in rows of workgroups.
type Dispatch struct {
	Pipeline      Pipeline
	Columns, Rows uint32
}
