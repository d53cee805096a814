// Package pooltest has a pool with a device, for tests of what may run on one.
package pooltest

import (
	"context"
	"testing"

	"tileserver/decode/pool"
	"tileserver/gpu"
	"tileserver/gpu/gather"
	"tileserver/gpu/gputest"
	"tileserver/gpu/route"
)

const workers = 2

// WithDevice returns a pool whose device has the given kernels and gets all work that it can do. The test
// fails if that is work of another kernel: after a failure the device gets no work for a while.
func WithDevice(t testing.TB, kernels gputest.Entries) (*pool.Pool, *gputest.Device) {
	t.Helper()
	device := gputest.NewDevice(kernels)
	t.Cleanup(func() {
		if failed := device.Failed(); len(failed) > 0 {
			t.Errorf("%d batches of the device failed, the first one because %v", len(failed), failed[0])
		}
	})
	return WithExecutor(t, device), device
}

// WithExecutor returns a pool whose device is an executor and gets all work that it can do.
func WithExecutor(t testing.TB, executor gpu.Executor) *pool.Pool {
	t.Helper()
	prepare := func(ctx context.Context) (gpu.Limits, error) {
		adapter, err := executor.Adapter(ctx)
		return adapter.Limits, err
	}
	gatherer := gather.New(route.New(route.Strict, workers), gather.Device{Executor: executor, Prepare: prepare})
	if err := gatherer.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return pool.New(pool.Config{Workers: workers, Gatherer: gatherer})
}
