package gputest

import (
	"errors"
	"os"
	"testing"

	"tileserver/gpu"
)

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

// RequireDevice ends a test that could not open a device for the given reason, if there is one. On a machine
// without a device the test is skipped, but in CI it fails.
func RequireDevice(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, gpu.ErrNoDevice) && os.Getenv("CI") != "true":
		t.Skip("SKIPPED, NOTHING RAN: there is no GPU, nor a software one; see CONTRIBUTING.md")
	case err != nil:
		t.Fatal(err)
	}
}
