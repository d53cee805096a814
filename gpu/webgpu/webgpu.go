// Package webgpu gives package submission the devices of Vulkan, Metal and Direct3D 12, through WebGPU.
// The process that holds a device calls it, and the command that lists devices. It owns all that it knows
// of the binding, whose faults it works around. It must never know batches.
//
// Its devices exist in builds with the tag gpu and with cgo. Others answer gpu.ErrNoDevice, and nothing
// of the binding is compiled or downloaded for them.
//
// The library behind the binding ends the process on some errors, among them the loss of the device. So
// a process that has other work must not open one.
package webgpu
