package components

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
	"tileserver/internal/reuse"
)

// codeBlock is a code-block to decode: numbers and bytes only. It does not know where it comes
// from, so that a device could decode many at once.
type codeBlock struct {
	packets.Block
	width, height int
	orientation   wavelet.Orientation
	style         codestream.Style
	bitPlanes     int // of magnitudes in the band
	shift         int // of a region of interest
	halved        bool
	data          [][]byte // bytes of the chunks
}

// coded returns the number of bit-planes that may have bits. In high throughput, one pass codes all
// planes down to its own.
func (b *codeBlock) coded() int {
	if b.HT {
		return b.bitPlanes + b.shift
	}
	return b.bitPlanes + b.shift - b.MissingBitPlanes
}

// bits returns the number of bits of the coefficients' magnitudes. It includes the fraction bit
// unless the coefficients are halved.
func (b *codeBlock) bits() int {
	bits := min(b.coded(), b.bitPlanes)
	if !b.halved {
		bits++
	}
	return bits
}

// bytes estimates the memory for reading and decoding the code-block.
func (b *codeBlock) bytes() int64 {
	return int64(b.Length) + int64(b.width)*int64(b.height)*coefficientBytes(b.bits()) + codeBlockBytes
}

// codeBlockBytes is a rough size of a code-block without its bytes and coefficients.
const codeBlockBytes = 512

// errUndecodable reports a code-block that may be sound but that no decoder supports.
var errUndecodable = errors.New("unsupported kind of code-block")

// decodeJob is the pool job that decodes code-blocks: two of the arithmetic coder in each task, as far as
// there are two, and a run of others in each of the tasks that follow.
type decodeJob struct {
	blocks     []codeBlock
	made       []coefficients // of blocks
	workspaces *sync.Pool     // of *blockWorkspace
	order      []int          // of blocks, such that two of a task differ little
	paired     int            // how many come first that can be decoded beside another
	runs       [][]int        // what follows in order
}

// newDecodeJob returns the job for blocks.
func newDecodeJob(blocks []codeBlock, workspaces *sync.Pool) *decodeJob {
	j := &decodeJob{blocks: blocks, made: make([]coefficients, len(blocks)), workspaces: workspaces, order: make([]int, 0, len(blocks))}
	for i := range blocks {
		if blocks[i].isArithmetic32() {
			j.order = append(j.order, i)
		}
	}
	j.paired = len(j.order)
	pairUp(j.order, blocks)
	for i := range blocks {
		if !blocks[i].isArithmetic32() {
			j.order = append(j.order, i)
		}
	}
	j.runs = runs(j.order[j.paired:], blocks)
	return j
}

// isArithmetic32 reports whether a code-block is of the arithmetic coder, with coefficients of 32 bits.
func (b *codeBlock) isArithmetic32() bool {
	return !b.HT && b.coded() >= 1 && b.coded() <= maxBitPlanes
}

// pairs returns the number of tasks before those of the runs.
func (j *decodeJob) pairs() int { return (j.paired + 1) / 2 }

// Len returns the number of tasks.
func (j *decodeJob) Len() int { return j.pairs() + len(j.runs) }

// blocksOf returns the indexes of the code-blocks of a task.
func (j *decodeJob) blocksOf(task int) []int {
	if pairs := j.pairs(); task >= pairs {
		return j.runs[task-pairs]
	}
	return j.order[2*task : min(2*task+2, j.paired)]
}

// Do decodes the code-blocks of a task. Damage costs a block but is not an error.
func (j *decodeJob) Do(task int) error {
	workspace := j.workspace()
	defer j.workspaces.Put(workspace)
	indexes := j.blocksOf(task)
	if task < j.pairs() && len(indexes) == 2 {
		j.decodeBoth(workspace, indexes[0], indexes[1])
		return nil
	}
	for _, index := range indexes {
		if err := j.decode(workspace, index); err != nil {
			return err
		}
	}
	return nil
}

// decode decodes a code-block.
func (j *decodeJob) decode(w *blockWorkspace, block int) error {
	made, err := w.decode(&j.blocks[block])
	switch {
	case errors.Is(err, errUndecodable):
		return err
	case err != nil:
		made.lost = err
	}
	j.made[block] = made
	return nil
}

// workspace returns the memory for a task, to be put back to workspaces.
func (j *decodeJob) workspace() *blockWorkspace {
	if w, ok := j.workspaces.Get().(*blockWorkspace); ok {
		return w
	}
	return new(blockWorkspace)
}

// remove removes the tasks of some code-blocks.
func (j *decodeJob) remove(isDone func(block int) bool) {
	paired := slices.DeleteFunc(j.order[:j.paired:j.paired], isDone)
	j.order = append(paired, slices.DeleteFunc(j.order[j.paired:], isDone)...)
	j.paired = len(paired)
	j.runs = runs(j.order[j.paired:], j.blocks)
}

// decodeBoth decodes two code-blocks of the arithmetic coder in turns.
func (j *decodeJob) decodeBoth(w *blockWorkspace, first, second int) {
	tasks := [2]tier1.Task{w.lanes[0].task(&j.blocks[first]), w.lanes[1].task(&j.blocks[second])}
	err, otherErr := tier1.DecodeBoth(tasks[0], tasks[1])
	j.keep(first, tasks[0].Out, err)
	j.keep(second, tasks[1].Out, otherErr)
}

// keep keeps the decoded coefficients of a code-block, or the sound part if it is damaged.
func (j *decodeJob) keep(block int, numbers []int32, err error) {
	j.made[block], err = finish(&j.blocks[block], numbers, err)
	j.made[block].lost = err
}

// blockWorkspace is reusable memory for decoding code-blocks.
type blockWorkspace struct {
	lanes      [2]blockLane
	throughput ht.Decoder
	short      []int16 // from a device
	long       []int64
}

// blockLane is reusable memory for one of two code-blocks that are decoded in turns.
type blockLane struct {
	decoder  tier1.Decoder
	data     []byte
	segments []tier1.Segment
	block    tier1.Block
	numbers  []int32
}

// decode decodes a code-block. If it returns an error, the coefficients are the sound part.
func (w *blockWorkspace) decode(b *codeBlock) (coefficients, error) {
	lane := &w.lanes[0]
	switch coded := b.coded(); {
	case coded < 1 || coded > tier1.MaxBitPlanes64:
		return coefficients{}, fmt.Errorf("%d bit-planes", coded)
	case b.HT:
		return w.decodeThroughput(b)
	case coded > maxBitPlanes:
		w.long = reuse.Slice(w.long, b.width*b.height)
		return finish(b, w.long, lane.decoder.Decode64(lane.coded(b), w.long))
	}
	t := lane.task(b)
	return finish(b, t.Out, t.Decoder.Decode(t.Block, t.Out))
}

// task returns a code-block as a task of the arithmetic decoder.
func (l *blockLane) task(b *codeBlock) tier1.Task {
	return tier1.Task{Decoder: &l.decoder, Block: l.coded(b), Out: l.room(b)}
}

// room returns room for the coefficients of a code-block.
func (l *blockLane) room(b *codeBlock) []int32 {
	l.numbers = reuse.Slice(l.numbers, b.width*b.height)
	return l.numbers
}

// coded returns a code-block in the form of the arithmetic decoder.
func (l *blockLane) coded(b *codeBlock) *tier1.Block {
	l.segments = b.appendSegments(l.segments[:0])
	l.block = b.coding(l.join(b), l.segments)
	return &l.block
}

// coding returns a code-block with the given bytes and codewords in the form of the arithmetic decoder.
func (b *codeBlock) coding(data []byte, segments []tier1.Segment) tier1.Block {
	return tier1.Block{
		Width: b.width, Height: b.height, Orientation: b.orientation, Style: tier1.Style(b.style & partOneStyles),
		BitPlanes: b.coded(), Passes: b.Passes, Data: data, Segments: segments,
	}
}

// appendSegments appends the codewords of a code-block.
func (b *codeBlock) appendSegments(segments []tier1.Segment) []tier1.Segment {
	for _, s := range b.Segments {
		segments = append(segments, tier1.Segment(s))
	}
	return segments
}

// join puts the chunks of a code-block together, if it has several. Decoders only read them.
func (l *blockLane) join(b *codeBlock) []byte {
	if len(b.data) == 1 {
		return b.data[0]
	}
	l.data = l.data[:0]
	for _, chunk := range b.data {
		l.data = append(l.data, chunk...)
	}
	return l.data
}

// partOneStyles are the style bits of Part 1.
const partOneStyles = codestream.HT - 1

func (w *blockWorkspace) decodeThroughput(b *codeBlock) (coefficients, error) {
	if b.coded() > ht.MaxBitPlanes {
		return coefficients{}, fmt.Errorf("%d bit-planes of high throughput: %w", b.coded(), errUndecodable)
	}
	lane := &w.lanes[0]
	numbers, block := lane.room(b), b.throughput(lane.join(b))
	err := w.throughput.Decode(&block, numbers)
	if err != nil && !errors.Is(err, ht.ErrUnrefined) {
		return coefficients{}, err
	}
	return finish(b, numbers, err)
}

// throughput returns a code-block of high throughput with the given bytes in the form of its decoder.
func (b *codeBlock) throughput(data []byte) ht.Block {
	cleanup := len(data)
	if len(b.Segments) > 0 {
		cleanup = min(b.Segments[0].Length, cleanup)
	}
	return ht.Block{
		Width: b.width, Height: b.height, BitPlanes: b.coded(), MissingBitPlanes: b.MissingBitPlanes, Passes: b.Passes,
		Cleanup: data[:cleanup], Refinement: data[cleanup:], VerticallyCausal: b.style&codestream.VerticallyCausal != 0,
	}
}

// finish converts decoded coefficients to their stored form.
func finish[T integer](b *codeBlock, numbers []T, err error) (coefficients, error) {
	if errors.Is(err, tier1.ErrInvalid) {
		return coefficients{}, err
	}
	wavelet.LowerRegion(numbers, b.shift)
	return newCoefficients(numbers, b.bits(), b.halved), err
}
