// Package device prepares the GPUs of a server: it checks that each computes what the cores do, and measures
// from which size of batch on they are worth their costs. Figures are kept in the state folder. The server
// calls it with executors, and gives its gatherer to the pool of decoders. It must never know how
// a device is reached, or what kernels compute.
package device

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"tileserver/cache/disk"
	"tileserver/gpu"
	"tileserver/gpu/gather"
	"tileserver/gpu/route"
	"tileserver/gpu/trial"
)

// Config configures Devices.
type Config struct {
	Executors []gpu.Executor // of devices that are alike: what one costs is expected of all
	Samples   []trial.Sample // of all kernels
	Mode      route.Mode
	Cores     int         // that would do the work otherwise
	Processor string      // whose cores they are
	State     *disk.Store // for costs; nil measures them anew
	Build     string      // the version of the program, whose kernels the costs are of
	Logger    *slog.Logger
}

// Devices are the GPUs of a server, and what is known of them.
type Devices struct {
	Gatherer *gather.Gatherer
	Router   *route.Router

	config Config

	preparing sync.Mutex  // held while a device is prepared; guards the fields below
	first     gpu.Adapter // of the device that was prepared first
	isUseful  bool        // whether a device gets work of some size
	onUseful  func()      // is called once that is so
}

// OnUseful has a function called once a device gets work of some size, or now if one does.
func (all *Devices) OnUseful(do func()) {
	all.preparing.Lock()
	defer all.preparing.Unlock()
	if all.onUseful = do; all.isUseful {
		do()
	}
}

// learn looks whether a device gets work of some size. The caller holds preparing.
func (all *Devices) learn() {
	pays := func(e route.Estimate) bool { return e.BreakEven > 0 }
	if all.isUseful || all.config.Mode != route.Strict && !slices.ContainsFunc(all.Router.Estimates(), pays) {
		return
	}
	if all.isUseful = true; all.onUseful != nil {
		all.onUseful()
	}
}

// New returns devices that are asleep until a batch is offered to them.
func New(c Config) *Devices {
	all := &Devices{config: c, Router: route.New(c.Mode, c.Cores)}
	var devices []gather.Device
	for _, executor := range c.Executors {
		d := &device{Devices: all, executor: executor}
		devices = append(devices, gather.Device{Executor: executor, Prepare: d.prepare})
	}
	all.Gatherer = gather.New(all.Router, devices...)
	return all
}

// Close ends the devices, after it has ended what prepares them.
func (all *Devices) Close() (err error) {
	all.Gatherer.Close()
	for _, executor := range all.config.Executors {
		err = errors.Join(err, executor.Close())
	}
	return err
}

// device is one of Devices.
type device struct {
	*Devices
	executor gpu.Executor
	refused  error // why it never gets work; nil while it may. The lock of Devices guards it.
}

// errOtherKind means that a device is not like the others, whose costs say nothing of it.
var errOtherKind = errors.New("it is of another kind than the first")

// prepare starts the device, and gives it work if it deserves that. Devices are prepared one after the
// other, so that one is not measured beside another.
func (d *device) prepare(ctx context.Context) (gpu.Limits, error) {
	d.preparing.Lock()
	defer d.preparing.Unlock()
	if d.refused != nil {
		return gpu.Limits{}, d.refused
	}
	adapter, err := d.executor.Adapter(ctx)
	if err != nil {
		return gpu.Limits{}, err
	}
	logger := d.config.Logger.With("gpu", adapter.Name, "driver", adapter.Driver)
	switch {
	case adapter.IsSoftware && d.config.Mode == route.Auto:
		logger.Info("GPU gets no work", "err", gather.ErrSoftware)
		return gpu.Limits{}, d.refuse(gather.ErrSoftware)
	case d.first.Name == "":
		d.first = adapter
		d.Router.SetAdapter(adapter)
	case adapter != d.first:
		logger.Error("GPU gets no work", "err", errOtherKind)
		return gpu.Limits{}, d.refuse(errOtherKind)
	}
	for _, sample := range d.config.Samples {
		err := d.examine(ctx, adapter, sample)
		switch {
		case err == nil:
			continue
		case errors.Is(err, context.Canceled):
			return gpu.Limits{}, err // the server ends
		case errors.Is(err, trial.ErrWrong):
			err = d.refuse(err)
		}
		logger.Error("GPU gets no work", "err", err)
		return gpu.Limits{}, err
	}
	for _, e := range d.Router.Estimates() {
		logger.Info("GPU is ready", "kernel", e.Kernel, "work", e.Work, "on_gpu", e.OnDevice, "on_cores", e.OnCores, "break_even", e.BreakEven)
	}
	d.learn()
	return adapter.Limits, nil
}

// refuse gives the device no work as long as the server runs.
func (d *device) refuse(why error) error {
	d.refused = why
	if err := d.executor.Close(); err != nil {
		d.config.Logger.Warn("GPU cannot be closed", "err", err)
	}
	return why
}

// The sizes of batches, in jobs: for a check alone, and to measure costs. The largest takes a core less
// than a second.
var (
	checkedSizes  = []int{32}
	measuredSizes = []int{64, 512, 4096}
)

// examine checks what the device makes of a sample, and sets the costs of its kernel.
func (d *device) examine(ctx context.Context, adapter gpu.Adapter, sample trial.Sample) error {
	kernel := sample.Kernel.Name
	key := fmt.Sprintf("gpu-costs3:%s:%s:%d:%s:%s:%s", d.config.Build, kernel, d.config.Cores, d.config.Processor, adapter.Name, adapter.Driver)
	costs, isStored := d.stored(ctx, key)
	if isStored && !d.Router.HasCosts(kernel) {
		d.Router.SetCosts(kernel, costs)
	}
	if adapter.IsSoftware || d.Router.HasCosts(kernel) {
		_, err := trial.Run(ctx, d.executor, sample, checkedSizes)
		return err
	}
	results, err := trial.Run(ctx, d.executor, sample, measuredSizes)
	if err != nil {
		return err
	}
	costs = trial.Costs(results)
	d.Router.SetCosts(kernel, costs)
	if text, err := json.Marshal(costs); err == nil {
		_ = d.config.State.Put(ctx, key, text) // else they are measured again
	}
	return nil
}

// stored returns the costs that were measured before.
func (d *device) stored(ctx context.Context, key string) (costs route.Costs, isStored bool) {
	text, isStored := d.config.State.Get(ctx, key)
	isStored = isStored && json.Unmarshal(text, &costs) == nil && costs.AreSound()
	return costs, isStored
}
