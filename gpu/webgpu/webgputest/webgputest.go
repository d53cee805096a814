// Package webgputest runs kernels on a device of the machine, for tests of kernels beside their codecs.
package webgputest

import (
	"errors"
	"os"
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/webgpu"
)

const budget = 1 << 30

// Open returns the first device of the machine until the test ends. Without one the test is skipped, or
// fails in CI. Only tests with the tag gpu call it: other builds have no device.
func Open(t testing.TB) gpu.Runner {
	t.Helper()
	runner, err := webgpu.Open(0, budget)
	switch {
	case errors.Is(err, gpu.ErrNoDevice) && os.Getenv("CI") != "true":
		t.Skip("SKIPPED, NOTHING RAN: there is no GPU, nor a software one; see CONTRIBUTING.md")
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	return runner
}

// Run runs jobs with their inputs as one batch.
func Run(t testing.TB, runner gpu.Runner, kernel *gpu.Kernel, jobs []gpu.Job, inputs [][]byte) *gpu.Batch {
	t.Helper()
	layout, err := gpu.LayOut(jobs, runner.Adapter().Limits)
	if err != nil {
		t.Fatal(err)
	}
	b := gpu.NewBatch(kernel, jobs, layout, make([]byte, layout.SharedBytes()))
	for i, input := range inputs {
		copy(b.InputOf(i), input)
	}
	err = runner.Run(kernel, b.Steps, gpu.Buffers{Records: b.Records, Input: b.Input, Output: b.Output, ScratchBytes: b.ScratchBytes})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
