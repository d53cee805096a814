package pool

import (
	"context"
	"errors"
	"time"

	"tileserver/gpu/gather"
)

// DeviceBatch is a Batch that a device can do a part of.
type DeviceBatch interface {
	Batch

	// ForDevice returns what a device can do of the batch, or nil if that is nothing.
	ForDevice() DevicePart
}

// DeviceWork is jobs for a device, and what takes their outputs.
type DeviceWork interface {
	gather.Part

	// Read takes the output of a job. Several goroutines call it at a time, at most once for each job. If
	// it returns an error, or is not called for a job, the workers do the job.
	Read(job int, status uint32, output []byte) error
}

// DevicePart is what a device can do of a batch. Its jobs need not be the tasks of the batch: a worker may
// do in one task what are two jobs for a device.
type DevicePart interface {
	DeviceWork

	// IsWhole reports whether the jobs are all that there is to do. Otherwise the time that workers take
	// for the batch says little of the jobs.
	IsWhole() bool

	// Rest returns the batch without the jobs that were read. Errors of a Subset name the tasks as in the
	// whole batch.
	Rest() Batch
}

// Subset is some tasks of a batch.
type Subset struct {
	Batch
	Tasks []int
}

// Len returns the number of tasks in the subset.
func (s Subset) Len() int { return len(s.Tasks) }

// Do does a task, by its number in the subset.
func (s Subset) Do(i int) error { return s.Batch.Do(s.Tasks[i]) }

// runWhereSooner runs a batch on the workers, or on the device if that takes its part of the batch before a
// worker is free.
func (p *Pool) runWhereSooner(ctx context.Context, batch Batch, part DevicePart) error {
	run := p.newRun(ctx, batch)
	offer := p.gather.Offer(ctx, part, run.rank == dear)
	switch onWorkers, err := p.waitForEither(ctx, run.rank, offer); {
	case err != nil:
		offer.Leave()
		return err
	case onWorkers:
		err := run.all(ctx)
		if err == nil && part.IsWhole() {
			offer.RanOnCores(run.computed())
		}
		return err
	}
	if err := p.receive(ctx, offer, part); err != nil {
		return err
	}
	return p.runRest(ctx, part.Rest())
}

// HasDevice reports whether a device works, so that it is of use to prepare work for RunOnDevice.
func (p *Pool) HasDevice(ctx context.Context) bool { return p.gather != nil && p.gather.MayTake(ctx) }

// RunOnDevice has a device do work, if it does that sooner than the workers would or must be used. It serves
// work that workers do in other pieces: what was not read is left to the caller.
func (p *Pool) RunOnDevice(ctx context.Context, work DeviceWork) error {
	offer := p.gather.Offer(ctx, work, rankOf(ctx) == dear)
	isTaken, err := waitForDevice(ctx, offer)
	switch {
	case err != nil:
		offer.Leave()
		return err
	case !isTaken && offer.Withdraw():
		return nil
	}
	return p.receive(ctx, offer, work)
}

// receive reads what a device does of an offer that it has taken.
func (p *Pool) receive(ctx context.Context, offer *gather.Offer, work DeviceWork) error {
	return offer.Receive(ctx, func(s gather.Share) error { return p.read(ctx, work, s) })
}

// read reads what a device has done, on the workers.
func (p *Pool) read(ctx context.Context, work DeviceWork, share gather.Share) error {
	if share.Err != nil {
		return nil // the workers do its jobs
	}
	run := p.newRun(ctx, reading{work, share})
	err := run.onWorkers(ctx)
	if err == nil {
		share.ReadOnCores(run.computed())
	}
	return err
}

// runRest runs what a device has left.
func (p *Pool) runRest(ctx context.Context, rest Batch) error {
	err := p.newRun(ctx, rest).onWorkers(ctx)
	some, isSubset := rest.(Subset)
	if failed := new(TaskError); isSubset && errors.As(err, &failed) {
		failed.Index, failed.Count = some.Tasks[failed.Index], some.Batch.Len()
	}
	return err
}

// waitForEither waits until the caller has a slot or the device has taken an offer.
func (p *Pool) waitForEither(ctx context.Context, r rank, offer *gather.Offer) (onWorkers bool, err error) {
	if isTaken, err := waitForDevice(ctx, offer); isTaken || err != nil {
		return false, err
	}
	err = p.workers.waitUnless(ctx, r, offer.Taken())
	switch {
	case errors.Is(err, errUnneeded):
		return false, nil
	case err != nil:
		return false, err
	case offer.Withdraw():
		return true, nil
	}
	p.workers.free(r) // the device was quicker
	return false, nil
}

// waitForDevice leaves free workers to others for as long as an offer insists on the device. It reports whether
// the device has taken the offer.
func waitForDevice(ctx context.Context, offer *gather.Offer) (isTaken bool, err error) {
	patience := offer.Insists()
	if patience == 0 {
		return false, nil
	}
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-offer.Taken():
		return true, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	case <-late.C:
		return false, nil
	}
}

// reading is the batch that reads what a device has done.
type reading struct {
	work  DeviceWork
	share gather.Share
}

// jobsPerRead is how many outputs a task reads. To read one takes a few microseconds.
const jobsPerRead = 16

func (r reading) Len() int { return (r.share.Len() + jobsPerRead - 1) / jobsPerRead }

// Do reads some jobs. Those that cannot be read are left to the workers.
func (r reading) Do(i int) error {
	first := i * jobsPerRead
	for job := first; job < min(first+jobsPerRead, r.share.Len()); job++ {
		_ = doSafely(func() error { return r.work.Read(r.share.Output(job)) })
	}
	return nil
}
