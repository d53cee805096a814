//go:build !gpu || !cgo

package webgpu

import "tileserver/gpu"

// IsBuilt says whether this program was built with devices.
const IsBuilt = false

// Adapters returns gpu.ErrNoDevice: this program was built without devices.
func Adapters() ([]gpu.Adapter, error) { return nil, gpu.ErrNoDevice }

// Open returns gpu.ErrNoDevice.
func Open(int, int64) (gpu.Runner, error) { return nil, gpu.ErrNoDevice }
