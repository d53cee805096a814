package gpu

import "context"

// None is the Executor of a machine or a build without a device.
type None struct{}

var _ Executor = None{}

// FreeBytes returns 0, so that callers plan no batch.
func (None) FreeBytes() int64 { return 0 }

// Run always fails with ErrNoDevice.
func (None) Run(context.Context, *Batch) error { return ErrNoDevice }

// Close does nothing.
func (None) Close() error { return nil }
