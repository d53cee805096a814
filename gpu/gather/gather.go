// Package gather collects the jobs of callers that wait into batches for a device, which does many of them
// in hardly more time than one. Package decode/pool offers it what a device can do of its batches. It asks
// package route whether a batch is worth the device, and owns what waits. It must never know tasks, workers
// or what kernels compute.
//
// Nobody waits for a batch to grow. Whoever finds a free worker withdraws his offer, so an idle server pays
// nothing; batches form while the workers or the device are busy, out of what waits for them anyway.
//
// Words: an *offer* is the jobs of one call. The *line* is the offers that wait. A *share* is the part of an
// offer that was in one batch.
package gather

import (
	"context"
	"errors"
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

// A Device runs batches, one at a time.
type Device struct {
	Executor gpu.Executor

	// Prepare starts the device and finds out whether it may have work. It returns the limits of a batch.
	Prepare func(ctx context.Context) (gpu.Limits, error)
}

// A Gatherer makes batches of offers, for one or more devices that are alike.
type Gatherer struct {
	router *route.Router

	open  context.Context // ends with Close
	close context.CancelFunc

	mu        sync.Mutex // guards the fields below
	devices   []*device
	preparing sync.WaitGroup // in the background
	waiting   line
	stats     Stats
}

// device is a Device and what it does.
type device struct {
	Device
	limits gpu.Limits // of a batch; zeros until the device is prepared
	again  time.Time  // when to prepare it again after a failure, or to give it a batch
	isBusy bool       // whether a batch is on its way
	freeAt time.Time  // when that is expected to end

	isSoftware bool // it must not get work
}

// New returns a gatherer for devices, which the first offer prepares.
func New(router *route.Router, devices ...Device) *Gatherer {
	g := &Gatherer{router: router, stats: Stats{Offers: make(map[Outcome]int64), Work: make(map[string]Work)}}
	g.open, g.close = context.WithCancel(context.Background())
	for _, d := range devices {
		g.devices = append(g.devices, &device{Device: d})
	}
	return g
}

// ErrSoftware is the error of Prepare for a device that computes on the cores and must not get work.
var ErrSoftware = errors.New("it computes on the cores")

// MayTake reports whether a device works, so that it is of use to prepare an offer. Otherwise it counts work
// that goes to the cores, and prepares devices.
func (g *Gatherer) MayTake(ctx context.Context) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.prepareSoon()
	if _, _, some := g.working(); some {
		return true
	}
	g.stats.count(traceOf(ctx), route.Cores, g.whyNone())
	return false
}

// whyNone returns why no device works. The caller holds g.mu.
func (g *Gatherer) whyNone() route.Reason {
	if slices.ContainsFunc(g.devices, func(d *device) bool { return !d.isSoftware }) {
		return route.Down
	}
	return route.Software
}

// Offer offers jobs to the devices. Those of dear work come after those of cheap work. The caller then waits
// until it has a worker or the offer is taken, whichever comes first.
func (g *Gatherer) Offer(ctx context.Context, part Part, isDear bool) *Offer {
	o := newOffer(ctx, g, part, isDear)
	g.mu.Lock()
	defer g.mu.Unlock()
	limits, freeAt, isThere := g.working()
	after := time.Until(freeAt) + g.promised(isDear)
	place, why := g.router.Choose(o.kernel.Name, o.work, max(after, 0))
	o.why = why
	switch isDevice := place == route.Device; {
	case !isThere:
		o.why = route.Down
	case !o.fits(limits):
		o.why = route.TooLarge
	case isDevice && why != route.Wanted && g.isLate():
		o.why = route.Busy
		g.waiting.join(o)
	default:
		o.insists = isDevice
		o.patience = wantedPatience
		if why != route.Wanted {
			o.patience = patience + 2*(max(after, 0)+g.router.DeviceTime(o.kernel.Name, o.work))
		}
		g.waiting.join(o)
		g.next()
	}
	return o
}

// How long an offer insists on a device: beyond twice of what is expected, and if it must go there.
const (
	patience       = 250 * time.Millisecond
	wantedPatience = 30 * time.Second
)

// promised returns how long the devices are expected to take for what insists on them and comes before new
// work. The caller holds g.mu.
func (g *Gatherer) promised(toDear bool) (total time.Duration) {
	for _, kernel := range g.waiting.kernels() {
		var work int64
		for _, o := range g.waiting.of(kernel) {
			if o.insists && (toDear || !o.isDear) {
				work += o.left
			}
		}
		if work > 0 {
			total += g.router.DeviceTime(kernel.Name, work)
		}
	}
	return total / time.Duration(len(g.devices))
}

// isLate reports whether no device is free, although all of them should be. The caller holds g.mu.
func (g *Gatherer) isLate() bool {
	return !slices.ContainsFunc(g.devices, func(d *device) bool {
		return d.works() && (!d.isBusy || time.Now().Before(d.freeAt.Add(patience)))
	})
}

// working returns the limits that all devices have that work, and when the first of them is free. The caller
// holds g.mu.
func (g *Gatherer) working() (limits gpu.Limits, freeAt time.Time, some bool) {
	for _, d := range g.devices {
		switch {
		case !d.works():
		case !some:
			limits, freeAt, some = d.limits, d.freeAt, true
		default:
			limits.BindingBytes = min(limits.BindingBytes, d.limits.BindingBytes)
			limits.BatchBytes = min(limits.BatchBytes, d.limits.BatchBytes)
			if d.freeAt.Before(freeAt) {
				freeAt = d.freeAt
			}
		}
	}
	return limits, freeAt, some
}

func (d *device) isPrepared() bool { return d.limits != gpu.Limits{} }

// works reports whether a device is prepared, and did not fail a moment ago.
func (d *device) works() bool { return d.isPrepared() && !time.Now().Before(d.again) }

// next gives each device that is free a batch of what waits, if that pays. The caller holds g.mu.
func (g *Gatherer) next() {
	for _, d := range g.devices {
		if d.works() && !d.isBusy {
			g.give(d)
		}
	}
}

// give gives a device a batch of what waits, if that pays. The caller holds g.mu.
func (g *Gatherer) give(d *device) {
	for _, kernel := range g.waiting.kernels() {
		if why, pays := g.pays(kernel); pays {
			b := g.waiting.take(kernel, d.limits, why)
			d.isBusy = true
			d.freeAt = time.Now().Add(g.router.DeviceTime(kernel.Name, b.work))
			go g.run(d, b)
			return
		}
	}
}

// pays reports whether all that waits for a kernel is worth a device, and why. The caller holds g.mu.
func (g *Gatherer) pays(kernel *gpu.Kernel) (why route.Reason, pays bool) {
	var work int64
	var insisting *Offer
	for _, o := range g.waiting.of(kernel) {
		work += o.left
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

// run runs a batch on a device, and then the next one.
func (g *Gatherer) run(d *device, b *batch) {
	took, err := b.run(d.Executor)
	if err == nil {
		g.router.RanOnDevice(b.kernel.Name, b.work, took)
	}
	g.mu.Lock()
	d.isBusy, d.freeAt = false, time.Time{}
	if err != nil && !errors.Is(err, errPanicked) {
		d.limits, d.again = gpu.Limits{}, time.Now().Add(afterFailure) // what is started again may be another
	}
	g.stats.countBatch(b, err)
	var left []Share
	if _, _, some := g.working(); some {
		g.next()
	} else {
		left = g.leaveToWorkers()
	}
	g.mu.Unlock()
	b.deliver(d.Executor, err)
	for _, s := range left {
		s.offer.deliver(s)
	}
}

// leaveToWorkers ends the wait of offers that insist on a device, when there is none. It returns what is left
// of them, as shares to be delivered. The caller holds g.mu.
func (g *Gatherer) leaveToWorkers() (left []Share) {
	for _, o := range slices.Clone(g.waiting) {
		if !o.insists {
			continue
		}
		g.waiting.leave(o)
		g.stats.countOnce(o, route.Cores, route.Down)
		left = append(left, Share{Err: gpu.ErrDown, offer: o, from: o.next, to: len(o.jobs), end: func() {}})
		o.take(len(o.jobs) - o.next)
	}
	return left
}
