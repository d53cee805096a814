package components

import (
	"slices"

	"tileserver/decode/jp2k/ht"
	htkernel "tileserver/decode/jp2k/ht/kernel"
	"tileserver/decode/jp2k/tier1"
	tier1kernel "tileserver/decode/jp2k/tier1/kernel"
	"tileserver/decode/pool"
	"tileserver/gpu"
	"tileserver/internal/reuse"
)

var _ pool.DeviceBatch = (*decodeJob)(nil)

// ForDevice returns what a device can decode: code-blocks of the arithmetic coder or of high throughput,
// whichever are more. Few codestreams have both. They are in the order of the tasks, so neighbors have about
// as much to decode.
func (j *decodeJob) ForDevice() pool.DevicePart {
	arithmetic := j.order[:j.paired]
	isOther := func(block int) bool { return !j.blocks[block].HT }
	if throughput := slices.DeleteFunc(slices.Clone(j.order[j.paired:]), isOther); len(throughput) > len(arithmetic) {
		return partOf(j, throughput, &blockKernel[ht.Block]{
			htkernel.CodeBlocks, (*codeBlock).joinedThroughput, htkernel.JobOf, htkernel.Write,
		})
	}
	return partOf(j, arithmetic, &blockKernel[tier1.Block]{
		tier1kernel.CodeBlocks, (*codeBlock).joinedCoding, tier1kernel.JobOf, tier1kernel.Write,
	})
}

// blockKernel says how a kernel decodes code-blocks, which have the type B for their decoder.
type blockKernel[B any] struct {
	kernel *gpu.Kernel
	form   func(block *codeBlock) B
	jobOf  func(coded *B) (gpu.Job, error)
	write  func(coded *B, input []byte)
}

// devicePart is the code-blocks of a decodeJob that a device can decode with one kernel.
type devicePart[B any] struct {
	job    *decodeJob
	with   *blockKernel[B]
	blocks []int // their indexes
	coded  []B
	jobs   []gpu.Job
	isRead []bool // by the index of a code-block
}

// partOf returns those of some code-blocks that a device can decode, or nil if there are none.
func partOf[B any](j *decodeJob, blocks []int, k *blockKernel[B]) pool.DevicePart {
	p := &devicePart[B]{job: j, with: k}
	for _, i := range blocks {
		coded := k.form(&j.blocks[i])
		job, err := k.jobOf(&coded)
		if err != nil {
			continue // a worker says what is wrong
		}
		p.blocks, p.coded, p.jobs = append(p.blocks, i), append(p.coded, coded), append(p.jobs, job)
	}
	if len(p.jobs) == 0 {
		return nil
	}
	p.isRead = make([]bool, len(j.blocks))
	return p
}

func (p *devicePart[B]) Kernel() *gpu.Kernel { return p.with.kernel }

func (p *devicePart[B]) Jobs() []gpu.Job { return p.jobs }

func (p *devicePart[B]) IsWhole() bool { return len(p.jobs) == len(p.job.blocks) }

func (p *devicePart[B]) Write(job int, input []byte) { p.with.write(&p.coded[job], input) }

// Read keeps the coefficients of a code-block. A damaged one is left to the workers, which know what of it
// is sound.
func (p *devicePart[B]) Read(job int, status uint32, output []byte) (err error) {
	w := p.job.workspace()
	defer p.job.workspaces.Put(w)
	block := p.blocks[job]
	b, made := &p.job.blocks[block], &p.job.made[block]
	if len(output) < gpu.WordBytes*b.width*b.height {
		*made, err = readNumbers(b, &w.short, status, output)
	} else {
		*made, err = readNumbers(b, &w.lanes[0].numbers, status, output)
	}
	p.isRead[block] = err == nil
	return err
}

// readNumbers reads decoded coefficients of a code-block, and converts them to their stored form.
func readNumbers[N int16 | int32](b *codeBlock, memory *[]N, status uint32, output []byte) (coefficients, error) {
	*memory = reuse.Slice(*memory, b.width*b.height)
	if err := gpu.ReadNumbers(status, output, *memory); err != nil {
		return coefficients{}, err
	}
	return finish(b, *memory, nil)
}

// Rest returns the job with the code-blocks that are not decoded yet. It removes the others from the job.
func (p *devicePart[B]) Rest() pool.Batch {
	p.job.remove(func(block int) bool { return p.isRead[block] })
	return p.job
}

// joinedCoding returns a code-block in the form of the arithmetic decoder.
func (b *codeBlock) joinedCoding() tier1.Block { return b.coding(b.joined(), b.appendSegments(nil)) }

// joinedThroughput returns a code-block of high throughput in the form of its decoder.
func (b *codeBlock) joinedThroughput() ht.Block { return b.throughput(b.joined()) }

// joined returns the bytes of a code-block, in memory that may be that of the chunk.
func (b *codeBlock) joined() []byte {
	if len(b.data) == 1 {
		return b.data[0]
	}
	return slices.Concat(b.data...)
}
