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
	Workers   int         // of the pool that would do the work otherwise
	State     *disk.Store // for costs; nil measures them anew
	Build     string      // the version of the program, whose kernels the costs are of
	Logger    *slog.Logger
}

// Devices are the GPUs of a server, and what is known of them.
type Devices struct {
	Gatherer *gather.Gatherer
	Router   *route.Router

	config Config
}

// New returns devices that are at rest until a batch is offered to them.
func New(c Config) *Devices {
	all := &Devices{config: c, Router: route.New(c.Mode, c.Workers)}
	var devices []gather.Device
	for _, executor := range c.Executors {
		d := &device{Devices: all, executor: executor}
		devices = append(devices, gather.Device{Executor: executor, Prepare: d.prepare})
	}
	all.Gatherer = gather.New(all.Router, devices...)
	return all
}

// Close ends the devices.
func (all *Devices) Close() (err error) {
	for _, executor := range all.config.Executors {
		err = errors.Join(err, executor.Close())
	}
	return err
}

// device is one of Devices.
type device struct {
	*Devices
	executor gpu.Executor

	mu      sync.Mutex // held while the device is prepared; guards the field below
	refused error      // why it never gets work; nil while it may
}

// errSoftware means that a device would compute on the cores, where the pool is faster.
var errSoftware = errors.New("it computes on the cores")

// prepare starts the device, and gives it work if it deserves that.
func (d *device) prepare(ctx context.Context) (gpu.Limits, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refused != nil {
		return gpu.Limits{}, d.refused
	}
	adapter, err := d.executor.Adapter(ctx)
	if err != nil {
		return gpu.Limits{}, err
	}
	d.Router.SetAdapter(adapter)
	logger := d.config.Logger.With("gpu", adapter.Name, "driver", adapter.Driver)
	if adapter.IsSoftware && d.config.Mode == route.Auto {
		logger.Info("GPU gets no work", "err", errSoftware)
		return gpu.Limits{}, d.refuse(errSoftware)
	}
	for _, sample := range d.config.Samples {
		if err := d.examine(ctx, adapter, sample); err != nil {
			logger.Error("GPU gets no work", "err", err)
			if errors.Is(err, trial.ErrWrong) {
				err = d.refuse(err)
			}
			return gpu.Limits{}, err
		}
	}
	for _, e := range d.Router.Estimates() {
		logger.Info("GPU is ready", "kernel", e.Kernel, "work", e.Work, "on_gpu", e.OnDevice, "on_cores", e.OnCores, "break_even", e.BreakEven)
	}
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
	kernel := sample(1).Kernel().Name
	key := fmt.Sprintf("gpu-costs/1/%s/%s/%s/%s", d.config.Build, adapter.Name, adapter.Driver, kernel)
	costs, isKnown := d.stored(ctx, key)
	if isKnown || adapter.IsSoftware {
		if _, err := trial.Run(ctx, d.executor, sample, checkedSizes); err != nil {
			return err
		}
		if isKnown {
			d.Router.SetCosts(kernel, costs)
		}
		return nil
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
func (d *device) stored(ctx context.Context, key string) (costs route.Costs, isKnown bool) {
	text, isKnown := d.config.State.Get(ctx, key)
	isKnown = isKnown && json.Unmarshal(text, &costs) == nil && costs.AreSound()
	return costs, isKnown
}
