//go:build gpu && cgo

package webgpu

import (
	"context"
	"errors"

	"github.com/cogentcore/webgpu/wgpu"

	"tileserver/gpu/submission"
)

// device is a submission.Device. Errors of the binding belong to the device, not to a call, so only one
// goroutine uses it at a time.
type device struct {
	device *wgpu.Device
	queue  *wgpu.Queue

	group  *wgpu.BindGroupLayout // the four buffers of every kernel
	layout *wgpu.PipelineLayout
}

// defineLayout says what buffers kernels have. Without it each pipeline would have a layout of its own,
// which lacks the buffers that its entry does not use.
func (d *device) defineLayout() (err error) {
	entries := make([]wgpu.BindGroupLayoutEntry, 4)
	for i := range entries {
		kind := wgpu.BufferBindingTypeReadOnlyStorage
		if i >= 2 {
			kind = wgpu.BufferBindingTypeStorage
		}
		entries[i] = wgpu.BindGroupLayoutEntry{
			Binding: uint32(i), Visibility: wgpu.ShaderStageCompute, Buffer: wgpu.BufferBindingLayout{Type: kind},
		}
	}
	if d.group, err = d.device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: entries}); err != nil {
		return err
	}
	d.layout, err = d.device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: []*wgpu.BindGroupLayout{d.group}})
	return err
}

// Close gives the device back.
func (d *device) Close() {
	if d.layout != nil {
		d.layout.Release()
	}
	if d.group != nil {
		d.group.Release()
	}
	d.queue.Release()
	d.device.Release()
}

// NewPipeline compiles an entry of a kernel. An empty text would be a null pointer to the library.
func (d *device) NewPipeline(source, entry string) (submission.Pipeline, error) {
	if source == "" || entry == "" {
		return nil, errors.New("there is nothing to compile")
	}
	module, err := d.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: source}})
	if err != nil {
		return nil, err
	}
	defer module.Release()
	return d.device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Layout: d.layout, Compute: wgpu.ProgrammableStageDescriptor{Module: module, EntryPoint: entry},
	})
}

// Submit hands commands to the device.
func (d *device) Submit(commands *submission.Commands) error {
	group, err := d.bind(commands.Bindings)
	if err != nil {
		return err
	}
	defer group.Release()
	encoder, err := d.device.CreateCommandEncoder(nil)
	if err != nil {
		return err
	}
	defer encoder.Release()
	if err := encode(encoder, commands, group); err != nil {
		return err
	}
	list, err := encoder.Finish(nil)
	if err != nil {
		return err
	}
	defer list.Release()
	d.queue.Submit(list)
	return nil
}

// bind makes a group of the buffers of a batch.
func (d *device) bind(bindings [4]submission.Range) (*wgpu.BindGroup, error) {
	entries := make([]wgpu.BindGroupEntry, len(bindings))
	for i, binding := range bindings {
		entries[i] = wgpu.BindGroupEntry{Binding: uint32(i), Buffer: of(binding), Size: uint64(binding.Bytes)}
	}
	return d.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: d.group, Entries: entries})
}

// of returns the buffer of a range.
func of(r submission.Range) *wgpu.Buffer { return r.Buffer.(*buffer).buffer }

// encode writes commands.
func encode(encoder *wgpu.CommandEncoder, commands *submission.Commands, group *wgpu.BindGroup) error {
	for _, r := range commands.Clear {
		if err := encoder.ClearBuffer(of(r), 0, uint64(r.Bytes)); err != nil {
			return err
		}
	}
	if err := encodePass(encoder, commands.Dispatches, group); err != nil {
		return err
	}
	return encoder.CopyBufferToBuffer(of(commands.From), 0, of(commands.To), 0, uint64(commands.From.Bytes))
}

// encodePass writes all dispatches into one pass. Each sees what the one before it wrote.
func encodePass(encoder *wgpu.CommandEncoder, dispatches []submission.Dispatch, group *wgpu.BindGroup) error {
	pass := encoder.BeginComputePass(nil)
	defer pass.Release()
	pass.SetBindGroup(0, group, nil)
	for _, dispatch := range dispatches {
		pass.SetPipeline(dispatch.Pipeline.(*wgpu.ComputePipeline))
		pass.DispatchWorkgroups(dispatch.Columns, dispatch.Rows, 1)
	}
	return pass.End()
}

// buffer is a submission.Buffer.
type buffer struct {
	device *device
	buffer *wgpu.Buffer
}

var usages = map[submission.Use]wgpu.BufferUsage{
	submission.Upload:  wgpu.BufferUsageStorage | wgpu.BufferUsageCopyDst,
	submission.Working: wgpu.BufferUsageStorage | wgpu.BufferUsageCopyDst | wgpu.BufferUsageCopySrc,
	submission.Landing: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst,
}

// NewBuffer allocates memory of the device.
func (d *device) NewBuffer(bytes int64, use submission.Use) (submission.Buffer, error) {
	b := &buffer{device: d}
	err := catchNoMemory(d.device, func() (err error) {
		b.buffer, err = d.device.CreateBuffer(&wgpu.BufferDescriptor{Size: uint64(bytes), Usage: usages[use]})
		return err
	})
	if errors.Is(err, errNoMemory) {
		b.buffer.Release()
	}
	return b, err
}

// Write copies data to the buffer before the next submission.
func (b *buffer) Write(data []byte) error {
	return catchNoMemory(b.device.device, func() error { return b.device.queue.WriteBuffer(b.buffer, 0, data) })
}

// Read waits for the last submission, and copies from the buffer.
func (b *buffer) Read(ctx context.Context, into []byte) error {
	if len(into) == 0 {
		return nil
	}
	m, err := startMapping(b.device.device, b.buffer, len(into))
	if err != nil {
		return err
	}
	if err := m.await(ctx, b.device.device); err != nil {
		return err
	}
	copy(into, b.buffer.GetMappedRange(0, uint(len(into))))
	return b.buffer.Unmap()
}

// Release gives the memory back. What is released but not destroyed the library would keep until it is asked
// again what the device has done, which may be hours later.
func (b *buffer) Release() {
	b.buffer.Destroy()
	b.buffer.Release()
}
