// Package gpu is the interface to a device that runs many small jobs in parallel. It knows buffers,
// and kernels by name. It must never know rasters, codecs or files.
package gpu

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Executor runs batches on a device.
type Executor interface {
	// FreeBytes returns how much device memory a batch may use now.
	FreeBytes() int64

	// Run uploads a batch, runs its kernel, waits once and fills its output. After an error the
	// output is undefined.
	Run(ctx context.Context, batch *Batch) error

	Close() error
}

// ErrNoDevice means that the machine or the build has no device.
var ErrNoDevice = errors.New("no GPU")

// ErrTooLarge means that a batch would not fit in device memory.
var ErrTooLarge = errors.New("batch too large for the GPU")

// Span is the part of a buffer that belongs to one job.
type Span struct{ Offset, Length int64 }

// Batch is one round trip for many jobs: one input buffer, one output buffer, one submission and
// one wait. Job i reads Inputs[i] and writes Outputs[i]. Its Status stays 0 if it succeeds.
type Batch struct {
	Kernel  string
	Inputs  []Span
	Outputs []Span
	Input   []byte
	Output  []byte // zeros until Run
	Status  []uint32
}

// spanAlignment is the alignment of spans in bytes. A kernel addresses them as words.
const spanAlignment = 4

// NewBatch packs the inputs of jobs and allocates their outputs. It checks the total size against
// maxBytes before it allocates.
func NewBatch(kernel string, inputs [][]byte, outputBytes []int64, maxBytes int64) (*Batch, error) {
	if len(inputs) != len(outputBytes) {
		return nil, fmt.Errorf("gpu: %d inputs for %d outputs", len(inputs), len(outputBytes))
	}
	inputBytes := make([]int64, len(inputs))
	for i, input := range inputs {
		inputBytes[i] = int64(len(input))
	}
	in, inTotal, err := layOut(inputBytes)
	if err != nil {
		return nil, err
	}
	out, outTotal, err := layOut(outputBytes)
	if err != nil {
		return nil, err
	}
	if inTotal > maxBytes || outTotal > maxBytes-inTotal {
		return nil, fmt.Errorf("gpu: %d bytes in and %d out of %d: %w", inTotal, outTotal, maxBytes, ErrTooLarge)
	}
	b := &Batch{
		Kernel: kernel, Inputs: in, Outputs: out,
		Input: make([]byte, inTotal), Output: make([]byte, outTotal), Status: make([]uint32, len(inputs)),
	}
	for i, input := range inputs {
		copy(b.Input[in[i].Offset:], input)
	}
	return b, nil
}

// layOut places spans of the given lengths one behind the other.
func layOut(lengths []int64) (spans []Span, total int64, err error) {
	spans = make([]Span, len(lengths))
	for i, n := range lengths {
		if n < 0 || n > math.MaxInt64-total-spanAlignment {
			return nil, 0, fmt.Errorf("gpu: job %d of %d bytes: %w", i, n, ErrTooLarge)
		}
		spans[i] = Span{total, n}
		total += (n + spanAlignment - 1) / spanAlignment * spanAlignment
	}
	return spans, total, nil
}
