// Package gather collects the jobs of callers that wait into batches for a device, which does many of them
// in hardly more time than one. Package decode/pool offers it what a device can do of its batches. It asks
// package route whether a batch is worth the device, and owns what waits. It must never know tasks, workers
// or what kernels compute.
//
// Nobody waits for a batch to grow. Whoever finds a free worker withdraws his offer, so an idle server pays
// nothing; batches form while the workers or the device are busy, out of what waits for them anyway.
//
// Words: an *offer* is the jobs of one call. A *share* is the part of an offer that was in one batch.
package gather

import (
	"context"
	"slices"
	"sync"
	"time"

	"tileserver/gpu"
	"tileserver/gpu/route"
)

// Part is what a device can do of a call's work, as jobs of one kernel.
type Part interface {
	Kernel() *gpu.Kernel
	Jobs() []gpu.Job

	// Write writes the input of a job.
	Write(job int, input []byte)
}

// Prepare starts a device and finds out whether it may have work. It returns the limits of a batch.
type Prepare func(ctx context.Context) (gpu.Limits, error)

// A Gatherer makes batches of offers. The device runs one at a time.
type Gatherer struct {
	device  gpu.Executor
	router  *route.Router
	prepare Prepare

	mu      sync.Mutex // guards the fields below
	limits  gpu.Limits // of a batch; zeros until the device is prepared
	again   time.Time  // when to prepare it again after a failure
	waiting []*Offer   // in order of arrival
	isBusy  bool       // whether a batch is on its way
	freeAt  time.Time  // when that is expected to end
	stats   Stats
}

// New returns a gatherer for a device, which the first offer prepares.
func New(device gpu.Executor, router *route.Router, prepare Prepare) *Gatherer {
	return &Gatherer{device: device, router: router, prepare: prepare, stats: Stats{Offers: make(map[Outcome]int64)}}
}

// Offer offers jobs to the device. The caller then waits until it has a worker or the offer is taken,
// whichever comes first.
func (g *Gatherer) Offer(part Part) *Offer {
	o := newOffer(g, part)
	g.mu.Lock()
	defer g.mu.Unlock()
	place, why := g.router.Choose(o.kernel.Name, o.work, max(time.Until(g.freeAt), 0))
	o.why = why
	switch isDevice := place == route.Device; {
	case g.limits == (gpu.Limits{}):
		g.prepareSoon()
		if isDevice {
			o.why = route.Down
		}
	case !o.fits(g.limits):
		o.why = route.TooLarge
	default:
		o.insists = isDevice
		g.waiting = append(g.waiting, o)
		g.next()
	}
	return o
}

// The time that preparing may take, and the time between a failure and the next attempt.
const (
	preparingFor    = time.Minute
	betweenAttempts = 5 * time.Minute
)

// prepareSoon prepares the device in the background, unless that goes on or has just failed. The caller
// holds g.mu.
func (g *Gatherer) prepareSoon() {
	if time.Now().Before(g.again) {
		return
	}
	g.again = time.Now().Add(preparingFor + betweenAttempts)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), preparingFor)
		defer cancel()
		_ = g.Prepare(ctx) // whoever prepares it tells the operator
	}()
}

// Prepare prepares the device now.
func (g *Gatherer) Prepare(ctx context.Context) error {
	limits, err := g.prepare(ctx)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limits, g.again = limits, time.Now().Add(betweenAttempts)
	return err
}

// next gives a batch of what waits to the device, if that is free and the batch is worth it. The caller
// holds g.mu.
func (g *Gatherer) next() {
	if g.isBusy {
		return
	}
	for _, kernel := range g.kernels() {
		if why, isWorth := g.isWorth(kernel); isWorth {
			b := g.take(kernel, why)
			g.isBusy = true
			g.freeAt = time.Now().Add(g.router.DeviceTime(kernel.Name, b.work))
			go g.run(b)
			return
		}
	}
}

// kernels returns the kernels of what waits, the one that has waited longest first. The caller holds g.mu.
func (g *Gatherer) kernels() (found []*gpu.Kernel) {
	for _, o := range g.waiting {
		if !slices.Contains(found, o.kernel) {
			found = append(found, o.kernel)
		}
	}
	return found
}

// isWorth reports whether all that waits for a kernel is worth the device, and why. The caller holds g.mu.
func (g *Gatherer) isWorth(kernel *gpu.Kernel) (why route.Reason, isWorth bool) {
	var work int64
	var insisting *Offer
	for _, o := range g.waiting {
		if o.kernel != kernel {
			continue
		}
		work += o.work
		if insisting == nil && o.insists {
			insisting = o
		}
	}
	place, why := g.router.Choose(kernel.Name, work, 0)
	if place == route.Cores && insisting != nil {
		return insisting.why, true
	}
	return why, place == route.Device
}

// take makes a batch of what waits for a kernel, in order of arrival, as much as the device has memory for.
// An offer of which only a part fits goes on with the next batch. The caller holds g.mu.
func (g *Gatherer) take(kernel *gpu.Kernel, why route.Reason) *batch {
	b := &batch{kernel: kernel, room: gpu.NewRoom(g.limits)}
	g.waiting = slices.DeleteFunc(g.waiting, func(o *Offer) (isTaken bool) {
		if o.kernel != kernel || !b.take(o) {
			return false
		}
		if !o.isTaken() {
			close(o.taken)
			g.stats.count(route.Device, why)
		}
		o.insists = true
		return o.next == len(o.jobs)
	})
	return b
}

// run runs a batch, and then the next one.
func (g *Gatherer) run(b *batch) {
	took, err := b.run(g.device)
	if err == nil {
		g.router.RanOnDevice(b.kernel.Name, b.work, took)
	}
	g.mu.Lock()
	g.isBusy, g.freeAt = false, time.Time{}
	g.stats.countBatch(b, err)
	g.next()
	g.mu.Unlock()
	b.deliver(g.device, err)
}
