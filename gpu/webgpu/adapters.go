//go:build gpu && cgo

package webgpu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cogentcore/webgpu/wgpu"

	"tileserver/gpu"
)

// The interfaces that the kernels are tested with. OpenGL, which the binding takes when it finds nothing
// else, is not among them.
var backends = map[wgpu.BackendType]string{
	wgpu.BackendTypeVulkan: "Vulkan",
	wgpu.BackendTypeMetal:  "Metal",
	wgpu.BackendTypeD3D12:  "D3D12",
}

// Adapters describes the devices of the machine. Those that compute on the cores come last.
func Adapters() ([]gpu.Adapter, error) {
	instance := newInstance()
	defer instance.Release()
	found := adaptersOf(instance)
	defer release(found)
	described := make([]gpu.Adapter, len(found))
	for i, adapter := range found {
		described[i] = describe(adapter)
	}
	if len(described) == 0 {
		return nil, gpu.ErrNoDevice
	}
	return described, nil
}

// newInstance gives the binding no descriptor, since it leaves a part of that undefined.
func newInstance() *wgpu.Instance {
	wgpu.SetLogLevel(wgpu.LogLevelError)
	return wgpu.CreateInstance(nil)
}

// adaptersOf returns the adapters of the interfaces that count, real devices first. The binding ignores
// the interface in a request for an adapter, so they are enumerated.
func adaptersOf(instance *wgpu.Instance) (found []*wgpu.Adapter) {
	for _, adapter := range instance.EnumerateAdapters(nil) {
		if backends[adapter.GetInfo().BackendType] == "" {
			adapter.Release()
			continue
		}
		found = append(found, adapter)
	}
	slices.SortStableFunc(found, func(a, b *wgpu.Adapter) int { return cmp.Compare(preference(a), preference(b)) })
	return found
}

// preference puts discrete devices before integrated ones, and software behind all others.
func preference(adapter *wgpu.Adapter) int {
	return slices.Index([]wgpu.AdapterType{
		wgpu.AdapterTypeDiscreteGPU, wgpu.AdapterTypeIntegratedGPU, wgpu.AdapterTypeUnknown, wgpu.AdapterTypeCPU,
	}, adapter.GetInfo().AdapterType)
}

func release(adapters []*wgpu.Adapter) {
	for _, adapter := range adapters {
		adapter.Release()
	}
}

// describe describes an adapter. The library tells nothing of the driver but whom it is for.
func describe(adapter *wgpu.Adapter) gpu.Adapter {
	info := adapter.GetInfo()
	return gpu.Adapter{
		Name:       info.DriverDescription,
		Driver:     fmt.Sprintf("vendor %#x, device %#x", info.VendorId, info.DeviceId),
		Backend:    backends[info.BackendType],
		IsSoftware: info.AdapterType == wgpu.AdapterTypeCPU,
		Limits:     gpu.Limits{BindingBytes: bindingBytes(limitsOf(adapter))},
	}
}

// limitsOf returns all that an adapter can. The default of a device is far less. The binding does not
// set the size of push constants, which the kernels have none of.
func limitsOf(adapter *wgpu.Adapter) wgpu.Limits {
	limits := adapter.GetLimits().Limits
	limits.MaxPushConstantSize = 0
	return limits
}

// bindingBytes returns the size of the largest buffer that a kernel can have, in whole words.
func bindingBytes(limits wgpu.Limits) int64 {
	return int64(min(limits.MaxStorageBufferBindingSize, limits.MaxBufferSize) &^ 3)
}

// take returns one of the adapters, and releases the others.
func take(instance *wgpu.Instance, index int) (*wgpu.Adapter, error) {
	found := adaptersOf(instance)
	if index < 0 || index >= len(found) {
		release(found)
		return nil, fmt.Errorf("GPU %d of %d: %w", index, len(found), gpu.ErrNoDevice)
	}
	adapter := found[index]
	release(slices.Delete(found, index, index+1))
	return adapter, nil
}
