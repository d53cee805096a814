package components

import (
	"slices"

	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/pool"
	"tileserver/gpu"
)

// A devicePart is the code-blocks of a decodeJob that a device can decode.
type devicePart struct {
	job    *decodeJob
	blocks []int         // their indexes
	coded  []tier1.Block // in the form of the decoder
	jobs   []gpu.Job
	isRead []bool
}

var _ pool.DeviceBatch = (*decodeJob)(nil)

// ForDevice returns what a device can decode: code-blocks of the arithmetic coder. They are in the order of
// the tasks, so neighbors have about as much to decode.
func (j *decodeJob) ForDevice() pool.DevicePart {
	p := &devicePart{job: j}
	for _, i := range j.order[:j.paired] {
		b := &j.blocks[i]
		coded := b.coding(b.joined(), b.appendSegments(nil))
		job, err := kernel.JobOf(&coded)
		if err != nil {
			continue // a worker says what is wrong
		}
		p.blocks, p.coded, p.jobs = append(p.blocks, i), append(p.coded, coded), append(p.jobs, job)
	}
	if len(p.jobs) == 0 {
		return nil
	}
	p.isRead = make([]bool, len(p.jobs))
	return p
}

func (p *devicePart) Kernel() *gpu.Kernel { return kernel.CodeBlocks }

func (p *devicePart) Jobs() []gpu.Job { return p.jobs }

func (p *devicePart) IsWhole() bool { return len(p.jobs) == len(p.job.blocks) }

func (p *devicePart) Write(job int, input []byte) { kernel.Write(&p.coded[job], input) }

// Read keeps the coefficients of a code-block. A damaged one is left to the workers, which know what of it
// is sound.
func (p *devicePart) Read(job int, status uint32, output []byte) error {
	w := p.job.workspace()
	defer p.job.workspaces.Put(w)
	block := p.blocks[job]
	numbers := w.lanes[0].room(&p.job.blocks[block])
	if err := kernel.Read(status, output, numbers); err != nil {
		return err
	}
	p.job.keep(block, numbers, nil)
	p.isRead[job] = true
	return nil
}

// Rest returns the job with the code-blocks that are not decoded yet.
func (p *devicePart) Rest() pool.Batch {
	isRead := make(map[int]bool, len(p.blocks))
	for job, block := range p.blocks {
		isRead[block] = p.isRead[job]
	}
	p.job.remove(func(block int) bool { return isRead[block] })
	return p.job
}

// joined returns the bytes of a code-block, in memory that may be that of the chunk.
func (b *codeBlock) joined() []byte {
	if len(b.data) == 1 {
		return b.data[0]
	}
	return slices.Concat(b.data...)
}
