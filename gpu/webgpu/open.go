//go:build gpu && cgo

package webgpu

import (
	"time"

	"github.com/cogentcore/webgpu/wgpu"

	"tileserver/gpu"
	"tileserver/gpu/submission"
)

// IsBuilt says whether this program was built with devices.
const IsBuilt = true

// patience is after which time a submission is given up. It is a last resort: who asks for batches gives
// up earlier, and ends the process.
const patience = 5 * time.Minute

// Open opens a device, by its number among Adapters, with a budget of bytes on it.
func Open(index int, budget int64) (gpu.Runner, error) {
	instance := newInstance()
	defer instance.Release()
	adapter, err := take(instance, index)
	if err != nil {
		return nil, err
	}
	defer adapter.Release()
	device, err := newDevice(adapter)
	if err != nil {
		return nil, err
	}
	return submission.NewRunner(device, submission.Config{
		Adapter:   describe(adapter),
		MaxGroups: limitsOf(adapter).MaxComputeWorkgroupsPerDimension,
		Budget:    budget,
		Patience:  patience,
	}), nil
}

// newDevice asks for all that the adapter has. The callback for a lost device stays unset, since the
// binding keeps a pointer to it that may be dangling.
func newDevice(adapter *wgpu.Adapter) (*device, error) {
	limits := wgpu.RequiredLimits{Limits: limitsOf(adapter)}
	opened, err := adapter.RequestDevice(&wgpu.DeviceDescriptor{RequiredLimits: &limits})
	if err != nil {
		return nil, err
	}
	d := &device{device: opened, queue: opened.GetQueue()}
	if err := d.defineLayout(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}
