package components

import (
	"slices"

	"tileserver/decode/jp2k/ht"
	htkernel "tileserver/decode/jp2k/ht/kernel"
	"tileserver/decode/jp2k/tier1"
	tier1kernel "tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/pool"
	"tileserver/gpu"
)

// A devicePart is the code-blocks of a decodeJob that a device can decode with one kernel.
type devicePart struct {
	job    *decodeJob
	blocks []int // their indexes
	coded  blocksOfKernel
	jobs   []gpu.Job
	isRead []bool
}

var _ pool.DeviceBatch = (*decodeJob)(nil)

// ForDevice returns what a device can decode: code-blocks of the arithmetic coder or of high throughput,
// whichever are more. Few codestreams have both. They are in the order of the tasks, so neighbors have about
// as much to decode.
func (j *decodeJob) ForDevice() pool.DevicePart {
	p := &devicePart{job: j, coded: new(arithmeticBlocks)}
	candidates := j.order[:j.paired]
	isOther := func(block int) bool { return !j.blocks[block].HT }
	if throughput := slices.DeleteFunc(slices.Clone(j.order[j.paired:]), isOther); len(throughput) > len(candidates) {
		p.coded, candidates = new(throughputBlocks), throughput
	}
	for _, i := range candidates {
		job, err := p.coded.add(&j.blocks[i])
		if err != nil {
			continue // a worker says what is wrong
		}
		p.blocks, p.jobs = append(p.blocks, i), append(p.jobs, job)
	}
	if len(p.jobs) == 0 {
		return nil
	}
	p.isRead = make([]bool, len(p.jobs))
	return p
}

func (p *devicePart) Kernel() *gpu.Kernel { return p.coded.kernel() }

func (p *devicePart) Jobs() []gpu.Job { return p.jobs }

func (p *devicePart) IsWhole() bool { return len(p.jobs) == len(p.job.blocks) }

func (p *devicePart) Write(job int, input []byte) { p.coded.write(job, input) }

// Read keeps the coefficients of a code-block. A damaged one is left to the workers, which know what of it
// is sound.
func (p *devicePart) Read(job int, status uint32, output []byte) error {
	w := p.job.workspace()
	defer p.job.workspaces.Put(w)
	block := p.blocks[job]
	numbers := w.lanes[0].room(&p.job.blocks[block])
	if err := p.coded.read(status, output, numbers); err != nil {
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

// blocksOfKernel is the code-blocks of a devicePart in the form of their decoder.
type blocksOfKernel interface {
	kernel() *gpu.Kernel

	// add adds the next code-block, and returns its job. It returns an error and adds nothing if a worker
	// has to decode it.
	add(b *codeBlock) (gpu.Job, error)

	// write writes the input of a code-block.
	write(block int, input []byte)

	// read reads the coefficients of a code-block.
	read(status uint32, output []byte, numbers []int32) error
}

// arithmeticBlocks is code-blocks of the arithmetic coder.
type arithmeticBlocks []tier1.Block

func (*arithmeticBlocks) kernel() *gpu.Kernel { return tier1kernel.CodeBlocks }

func (a *arithmeticBlocks) add(b *codeBlock) (gpu.Job, error) {
	coded := b.coding(b.joined(), b.appendSegments(nil))
	job, err := tier1kernel.JobOf(&coded)
	if err == nil {
		*a = append(*a, coded)
	}
	return job, err
}

func (a *arithmeticBlocks) write(block int, input []byte) { tier1kernel.Write(&(*a)[block], input) }

func (*arithmeticBlocks) read(status uint32, output []byte, numbers []int32) error {
	return tier1kernel.Read(status, output, numbers)
}

// throughputBlocks is code-blocks of high throughput.
type throughputBlocks []ht.Block

func (*throughputBlocks) kernel() *gpu.Kernel { return htkernel.CodeBlocks }

func (t *throughputBlocks) add(b *codeBlock) (gpu.Job, error) {
	coded := b.throughput(b.joined())
	job, err := htkernel.JobOf(&coded)
	if err == nil {
		*t = append(*t, coded)
	}
	return job, err
}

func (t *throughputBlocks) write(block int, input []byte) { htkernel.Write(&(*t)[block], input) }

func (*throughputBlocks) read(status uint32, output []byte, numbers []int32) error {
	return htkernel.Read(status, output, numbers)
}

// joined returns the bytes of a code-block, in memory that may be that of the chunk.
func (b *codeBlock) joined() []byte {
	if len(b.data) == 1 {
		return b.data[0]
	}
	return slices.Concat(b.data...)
}
