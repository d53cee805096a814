package blocks

import (
	deflate "tileserver/codec/deflate/kernel"
	"tileserver/decode/pool"
	"tileserver/gpu"
)

// deviceCodec is a Codec that a device can do a part of.
type deviceCodec interface {
	Codec

	// kernel returns what a device runs, or nil.
	kernel() *gpu.Kernel

	// forDevice returns a block as a job of the kernel, or false if a core has to decode it.
	forDevice(job *Job) (gpu.Job, bool)
	write(job *Job, input []byte)

	// read does what is left of a block. After an error, a core decodes the block.
	read(job *Job, status uint32, output []byte) error
}

// deviceJobBatch is a jobBatch that a device can do a part of.
type deviceJobBatch struct {
	jobBatch
	onDevice deviceCodec
}

var _ pool.DeviceBatch = deviceJobBatch{}

// ForDevice returns the blocks that a device can decode.
func (b deviceJobBatch) ForDevice() pool.DevicePart {
	p := &devicePart{batch: b}
	for i := range b.jobs {
		if job, ok := b.onDevice.forDevice(&b.jobs[i]); ok {
			p.numbers, p.jobs = append(p.numbers, i), append(p.jobs, job)
		}
	}
	if len(p.numbers) == 0 {
		return nil
	}
	p.isRead = make([]bool, len(b.jobs))
	return p
}

// devicePart is the blocks of a batch that a device can decode.
type devicePart struct {
	batch   deviceJobBatch
	numbers []int // of the blocks in the batch
	jobs    []gpu.Job
	isRead  []bool // by number
}

func (p *devicePart) Kernel() *gpu.Kernel { return p.batch.onDevice.kernel() }
func (p *devicePart) Jobs() []gpu.Job     { return p.jobs }
func (p *devicePart) IsWhole() bool       { return len(p.jobs) == len(p.batch.jobs) }

func (p *devicePart) Write(job int, input []byte) {
	p.batch.onDevice.write(&p.batch.jobs[p.numbers[job]], input)
}

func (p *devicePart) Read(job int, status uint32, output []byte) error {
	number := p.numbers[job]
	err := p.batch.onDevice.read(&p.batch.jobs[number], status, output)
	p.isRead[number] = err == nil
	return err
}

func (p *devicePart) Rest() pool.Batch {
	rest := pool.Subset{Batch: p.batch.jobBatch}
	for number, isRead := range p.isRead {
		if !isRead {
			rest.Tasks = append(rest.Tasks, number)
		}
	}
	return rest
}

// deviceStreams decompresses streams on a device. Streams that are anything but sound, and hold exactly
// the rows of their block, are left to the cores.
type deviceStreams interface {
	kernel() *gpu.Kernel
	job(stream []byte, holds int) (gpu.Job, bool)
	write(stream, input []byte)
	read(stream []byte, status uint32, output, holds []byte) error
}

func (c streamCodec) kernel() *gpu.Kernel {
	if c.device == nil {
		return nil
	}
	return c.device.kernel()
}

func (c streamCodec) forDevice(job *Job) (gpu.Job, bool) {
	if job.check() != nil || job.Layout.LowBitFirst {
		return gpu.Job{}, false
	}
	return c.device.job(job.Source, job.Layout.BlockBytes(job.Rows))
}

func (c streamCodec) write(job *Job, input []byte) { c.device.write(job.Source, input) }

func (c streamCodec) read(job *Job, status uint32, output []byte) error {
	size := job.Layout.BlockBytes(job.Rows)
	buffer := c.scratch.get(size)
	defer c.scratch.put(buffer)
	rows := buffer.bytes(size)
	if err := c.device.read(job.Source, status, output, rows); err != nil {
		return err
	}
	return job.take(rows, size, nil)
}

// zlibStreams are the streams of Deflate.
type zlibStreams struct{}

func (zlibStreams) kernel() *gpu.Kernel { return deflate.Inflate }

func (zlibStreams) job(stream []byte, holds int) (gpu.Job, bool) { return deflate.JobOf(stream, holds) }

func (zlibStreams) write(stream, input []byte) { deflate.Write(stream, input) }

func (zlibStreams) read(stream []byte, status uint32, output, holds []byte) error {
	return deflate.Read(stream, status, output, holds)
}
