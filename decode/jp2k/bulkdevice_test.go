//go:build gpu

package jp2k

import (
	"context"
	"sync"
	"testing"

	"tileserver/decode/pool/pooltest"
	"tileserver/gpu"
	"tileserver/gpu/webgpu/webgputest"
)

// inProcess is a device of the test's own process, as an executor.
type inProcess struct {
	gpu.Runner
	running sync.Mutex
}

func (d *inProcess) Adapter(context.Context) (gpu.Adapter, error) { return d.Runner.Adapter(), nil }
func (d *inProcess) End(*gpu.Batch)                               {}

func (d *inProcess) Begin(_ context.Context, kernel *gpu.Kernel, jobs []gpu.Job) (*gpu.Batch, error) {
	layout, err := gpu.LayOut(jobs, d.Runner.Adapter().Limits)
	if err != nil {
		return nil, err
	}
	return gpu.NewBatch(kernel, jobs, layout, make([]byte, layout.SharedBytes())), nil
}

func (d *inProcess) Run(_ context.Context, b *gpu.Batch) error {
	d.running.Lock()
	defer d.running.Unlock()
	return d.Runner.Run(b.Kernel, b.Steps, gpu.Buffers{Records: b.Records, Input: b.Input, Output: b.Output, ScratchBytes: b.ScratchBytes})
}

// The pixels of real files are the same where a device computes tiles.
func TestReadsInBulkOnAGPU(t *testing.T) {
	checkBulkOfEveryFile(t, pooltest.WithExecutor(t, &inProcess{Runner: webgputest.Open(t)}))
}
