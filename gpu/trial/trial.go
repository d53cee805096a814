// Package trial checks that a device computes what cores do, and measures what batches cost on both. The
// program calls it before it gives work to a device, and to print the figures. It must never know what
// kernels compute, nor when a device is worth its costs.
package trial

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	"tileserver/internal/threadtime"
)

// Work is jobs that both a core and a device can do.
type Work interface {
	gather.Part

	// Do does a job on this core.
	Do(job int)

	// Read does what is left to this core when a device has done a job. The next Read may use its memory
	// again.
	Read(job int, status uint32, output []byte) error

	// Check returns an error if the job that was read last is not as Do made it before.
	Check(job int) error
}

// Sample makes work that is typical of a kernel: as many jobs as are asked for.
type Sample struct {
	Kernel *gpu.Kernel
	Work   func(jobs int) Work
}

// Result is what a batch of a sample cost.
type Result struct {
	Jobs     int
	Work     int64
	OnDevice time.Duration // with transfers
	Reading  time.Duration // of the outputs, on one core
	OnCore   time.Duration // on one core
}

// ErrWrong means that a device does not compute what cores do.
var ErrWrong = errors.New("the GPU computes something else than the cores")

// Run measures batches of several sizes, in ascending order, as far as they fit into the device. It returns
// ErrWrong if a device fails the check of any job.
func Run(ctx context.Context, device gpu.Executor, sample Sample, sizes []int) (results []Result, err error) {
	for _, jobs := range sizes {
		result, err := measure(ctx, device, sample.Work(jobs))
		if errors.Is(err, gpu.ErrTooLarge) && len(results) > 0 {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("a batch of %d jobs: %w", jobs, err)
		}
		results = append(results, result)
	}
	return results, nil
}

// repetitions is how often a batch runs on both sides. The first time the device compiles its kernel; the
// quickest time was disturbed least.
const repetitions = 3

// measure measures one batch.
func measure(ctx context.Context, device gpu.Executor, work Work) (Result, error) {
	if adapter, err := device.Adapter(ctx); err != nil {
		return Result{}, err
	} else if _, err := gpu.LayOut(work.Jobs(), adapter.Limits); err != nil {
		return Result{}, err
	}
	r := Result{Jobs: len(work.Jobs())}
	for _, job := range work.Jobs() {
		r.Work += job.Work
	}
	for i := range repetitions {
		took, err := onCore(ctx, r.Jobs, func(job int) error { work.Do(job); return nil })
		if err != nil {
			return Result{}, err
		}
		if i == 0 || took < r.OnCore {
			r.OnCore = took
		}
	}
	for i := range repetitions {
		took, reading, err := onDevice(ctx, device, work)
		if err != nil {
			return Result{}, err
		}
		if i == 0 || took < r.OnDevice {
			r.OnDevice = took
		}
		if i == 0 || reading < r.Reading {
			r.Reading = reading
		}
	}
	return r, nil
}

// onCore does something with all jobs on this core. It stays on its thread, whose time is measured.
func onCore(ctx context.Context, jobs int, do func(job int) error) (time.Duration, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := threadtime.Now()
	for i := range jobs {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := do(i); err != nil {
			return 0, err
		}
	}
	return began.Until(threadtime.Now()), nil
}

// onDevice runs a batch on the device and checks it. It returns how long the device took, with transfers,
// and how long a core takes to read its outputs.
func onDevice(ctx context.Context, device gpu.Executor, work Work) (took, reading time.Duration, err error) {
	jobs := work.Jobs()
	b, err := device.Begin(ctx, work.Kernel(), jobs)
	if err != nil {
		return 0, 0, err
	}
	defer device.End(b)
	began := time.Now()
	for i := range jobs {
		work.Write(i, b.InputOf(i))
	}
	if err := device.Run(ctx, b); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	read := func(job int) error { return wrong(job, work.Read(job, b.Status(job), b.OutputOf(job))) }
	if reading, err = onCore(ctx, len(jobs), read); err != nil {
		return 0, 0, err
	}
	for i := range jobs {
		if err = read(i); err == nil {
			err = wrong(i, work.Check(i))
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return took, reading, nil
}

// wrong returns the error of a device that failed at a job, or nil if it did not.
func wrong(job int, why error) error {
	if why == nil {
		return nil
	}
	return fmt.Errorf("%w: job %d: %w", ErrWrong, job, why)
}

// Costs returns the costs that a router needs.
func Costs(results []Result) route.Costs {
	var costs route.Costs
	var work int64
	var reading, onCore time.Duration
	for _, r := range results {
		costs.OnDevice = append(costs.OnDevice, route.Point{Work: r.Work, Took: r.OnDevice})
		work += r.Work
		reading += r.Reading
		onCore += r.OnCore
	}
	forMillion := func(took time.Duration) time.Duration {
		return time.Duration(float64(took) / float64(max(work, 1)) * 1e6)
	}
	costs.Reading, costs.OnCore = forMillion(reading), forMillion(onCore)
	return costs
}
