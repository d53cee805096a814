package blocks

import (
	"tileserver/decode/pool"
	"tileserver/gpu"
)

// deviceCodec is a Codec that a device can do a part of.
type deviceCodec interface {
	Codec

	// kernel returns what a device runs.
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
