// Package webgputest opens a device of the machine, for tests of kernels beside their codecs.
package webgputest

import (
	"testing"

	"tileserver/gpu"
	"tileserver/gpu/gputest"
	"tileserver/gpu/webgpu"
)

const budget = 1 << 30

// Open returns the first device of the machine until the test ends. Without one the test is skipped, or
// fails in CI. Only tests with the tag gpu call it: other builds have no device.
func Open(t testing.TB) gpu.Runner {
	t.Helper()
	runner, err := webgpu.Open(0, budget)
	gputest.RequireDevice(t, err)
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	return runner
}
