package gpu

import "context"

// None is the executor of a machine, or a build, without a device.
type None struct{}

var _ Executor = None{}

// FreeBytes is 0, so that nobody plans a batch.
func (None) FreeBytes() int64 { return 0 }

// Run always fails with ErrNoDevice.
func (None) Run(context.Context, *Batch) error { return ErrNoDevice }

// Close has nothing to close.
func (None) Close() error { return nil }
