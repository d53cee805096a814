// Package route decides whether a batch of jobs runs on a device or on the cores of the machine. It knows
// what batches of each kernel cost on both, from measurements when the program starts, and corrects that
// while batches run. Package decode/pool asks it. It must never know what kernels compute, and runs
// nothing itself.
package route

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"tileserver/gpu"
)

// Mode is what the operator wants.
type Mode string

// The modes.
const (
	Off    Mode = "off"    // all work on the cores
	Auto   Mode = "auto"   // work that a device does sooner on the device
	Strict Mode = "strict" // all work on the device that has a kernel, however long it takes
)

// Place is where work runs.
type Place string

// The places.
const (
	Cores  Place = "cores"
	Device Place = "gpu"
)

// Reason says why work runs where it does, as a label of metrics.
type Reason string

// The reasons.
const (
	Wanted     Reason = "strict"
	Faster     Reason = "faster"
	Slower     Reason = "slower"     // the device would take longer, or not save enough
	Software   Reason = "software"   // the device computes on the cores itself
	Unmeasured Reason = "unmeasured" // nobody knows how long the device takes
	Busy       Reason = "busy"       // the device takes longer than expected for what it does now
	Failed     Reason = "failed"     // the device failed, and the cores did it again
	Down       Reason = "down"       // the device is being started, or has not answered yet
	TooLarge   Reason = "too large"  // a job does not fit into the memory of the device
)

// Costs are what batches of a kernel cost: how long one keeps a device, which runs one at a time, and how
// long a core computes. All cores share what there is to compute, so a batch keeps them for that time divided
// by their number. Thus both sides are compared by the clock.
type Costs struct {
	OnDevice Curve         // with transfers
	Reading  time.Duration // of the outputs of a million units of work, on one core
	OnCore   time.Duration // for a million units of work on one core, without the device
}

// AreSound reports whether costs can be those of a device and of cores.
func (c *Costs) AreSound() bool {
	for i, p := range c.OnDevice {
		if p.Took <= 0 || p.Work <= 0 || i > 0 && p.Work <= c.OnDevice[i-1].Work {
			return false
		}
	}
	return len(c.OnDevice) > 0 && c.Reading >= 0 && c.OnCore > 0
}

// million is the unit of work of Costs.Reading and OnCore.
const million = 1e6

// ofWork returns the time for some work, of which a million units take another.
func ofWork(work int64, forMillion time.Duration) time.Duration {
	return time.Duration(float64(forMillion) / million * float64(work))
}

// A Router decides where work runs. Goroutines may share it.
type Router struct {
	mode  Mode
	cores int

	mu         sync.Mutex // guards the fields below
	isSoftware bool
	kernels    map[string]*kernel // by name
}

// kernel is what is known about the batches of one kernel.
type kernel struct {
	costs                    Costs
	onDevice, reading, cores correction
	last                     [65]Place // of the last decision about work of so many bits
}

// New returns a router for some cores. Until costs are set, auto gives no work to the device.
func New(mode Mode, cores int) *Router {
	return &Router{mode: mode, cores: max(cores, 1), kernels: make(map[string]*kernel)}
}

// SetAdapter says which device there is.
func (r *Router) SetAdapter(a gpu.Adapter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isSoftware = a.IsSoftware
}

// SetCosts says what batches of a kernel cost, and forgets what was known before.
func (r *Router) SetCosts(name string, costs Costs) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kernels[name] = &kernel{costs: costs}
}

// The device must win by these factors: to get work, and to keep on getting it. Between them, work goes
// where work of about its size went last, so that two places that are about as fast do not alternate.
const (
	winsBy  = 1.3
	keepsBy = 1.1
)

// Choose decides where work of a kernel runs that could begin on the device after a while.
func (r *Router) Choose(name string, work int64, after time.Duration) (Place, Reason) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := r.kernels[name]
	switch {
	case r.mode == Strict:
		return Device, Wanted
	case r.isSoftware:
		return Cores, Software
	case k == nil:
		return Cores, Unmeasured
	}
	by, last := winsBy, &k.last[bits.Len64(uint64(work))]
	if *last == Device {
		by = keepsBy
	}
	if by*float64(after+r.throughDevice(k, work)) > float64(r.onCores(k, work)) {
		*last = Cores
		return Cores, Slower
	}
	*last = Device
	return Device, Faster
}

// throughDevice returns the expected time of a batch on the device, until all cores have read its outputs.
func (r *Router) throughDevice(k *kernel, work int64) time.Duration {
	return k.deviceTime(work) + k.reading.of(ofWork(work, k.costs.Reading))/time.Duration(r.cores)
}

// onCores returns the expected time of a batch on all cores.
func (r *Router) onCores(k *kernel, work int64) time.Duration {
	return k.cores.of(ofWork(work, k.costs.OnCore)) / time.Duration(r.cores)
}

// deviceTime returns how long a batch is expected to keep the device.
func (k *kernel) deviceTime(work int64) time.Duration {
	return k.onDevice.of(k.costs.OnDevice.at(work))
}

// HasCosts reports whether costs of a kernel were set.
func (r *Router) HasCosts(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kernels[name] != nil
}

// DeviceTime returns how long a batch is expected to keep the device, or 0 if that is unknown.
func (r *Router) DeviceTime(name string, work int64) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.kernels[name]; k != nil {
		return k.deviceTime(work)
	}
	return 0
}

// RanOnDevice corrects the costs of the device by a batch that it ran.
func (r *Router) RanOnDevice(name string, work int64, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.kernels[name]; k != nil {
		k.onDevice.add(took, k.costs.OnDevice.at(work))
	}
}

// ReadOnCores corrects the costs of reading outputs by tasks that computed for some time, all together.
func (r *Router) ReadOnCores(name string, work int64, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.kernels[name]; k != nil {
		k.reading.add(took, ofWork(work, k.costs.Reading))
	}
}

// RanOnCores corrects the costs of cores by tasks that computed for some time, all together.
func (r *Router) RanOnCores(name string, work int64, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if k := r.kernels[name]; k != nil {
		k.cores.add(took, ofWork(work, k.costs.OnCore))
	}
}

// Estimate is what a router expects of a kernel now.
type Estimate struct {
	Kernel    string
	Work      int64         // of a batch
	OnDevice  time.Duration // for it, with transfers, and to read its outputs on all cores
	OnCores   time.Duration // for it, on all cores
	BreakEven int64         // the least work that goes to the device, or 0 if none does
}

// Estimates returns what the router expects of a batch with the work of the largest one measured, for
// each kernel, by name.
func (r *Router) Estimates() []Estimate {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Estimate
	for name, k := range r.kernels {
		work := k.costs.OnDevice[len(k.costs.OnDevice)-1].Work
		all = append(all, Estimate{
			Kernel: name, Work: work, OnDevice: r.throughDevice(k, work), OnCores: r.onCores(k, work),
			BreakEven: r.breakEven(k),
		})
	}
	slices.SortFunc(all, func(a, b Estimate) int { return strings.Compare(a.Kernel, b.Kernel) })
	return all
}

// breakEven returns the least work that is worth the device. Its curve is a few lines, so the ratio of
// both sides changes little between two works that differ by a hundredth.
func (r *Router) breakEven(k *kernel) int64 {
	first, last := k.costs.OnDevice[0].Work, k.costs.OnDevice[len(k.costs.OnDevice)-1].Work
	for work := max(first, 1); work <= last; work += work/100 + 1 {
		if winsBy*float64(r.throughDevice(k, work)) <= float64(r.onCores(k, work)) {
			return work
		}
	}
	return 0
}
