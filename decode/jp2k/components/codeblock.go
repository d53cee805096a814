package components

import (
	"errors"
	"fmt"
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

// decodeJob is the pool job that decodes code-blocks.
type decodeJob struct {
	blocks     []codeBlock
	made       []coefficients // of blocks
	workspaces *sync.Pool     // of *blockWorkspace
}

// Len returns the number of code-blocks.
func (j *decodeJob) Len() int { return len(j.blocks) }

// Do decodes one code-block. Damage costs the block but is not an error.
func (j *decodeJob) Do(i int) error {
	workspace, _ := j.workspaces.Get().(*blockWorkspace)
	if workspace == nil {
		workspace = new(blockWorkspace)
	}
	defer j.workspaces.Put(workspace)
	made, err := workspace.decode(&j.blocks[i])
	switch {
	case errors.Is(err, errUndecodable):
		return err
	case err != nil:
		made.lost = err
	}
	j.made[i] = made
	return nil
}

// blockWorkspace is reusable memory for decoding code-blocks.
type blockWorkspace struct {
	arithmetic tier1.Decoder
	throughput ht.Decoder
	data       []byte
	segments   []tier1.Segment
	numbers    []int32
	long       []int64
}

// decode decodes a code-block. If it returns an error, the coefficients are the sound part.
func (w *blockWorkspace) decode(b *codeBlock) (coefficients, error) {
	if coded := b.coded(); coded < 1 || coded > tier1.MaxBitPlanes64 {
		return coefficients{}, fmt.Errorf("%d bit-planes", coded)
	}
	w.data = w.data[:0]
	for _, chunk := range b.data {
		w.data = append(w.data, chunk...)
	}
	switch {
	case b.HT:
		return w.decodeThroughput(b)
	case b.coded() > maxBitPlanes:
		w.long = reuse.Slice(w.long, b.width*b.height)
		return finish(b, w.long, w.arithmetic.Decode64(w.coded(b), w.long))
	}
	w.numbers = reuse.Slice(w.numbers, b.width*b.height)
	return finish(b, w.numbers, w.arithmetic.Decode(w.coded(b), w.numbers))
}

// coded returns b in the form of the arithmetic decoder.
func (w *blockWorkspace) coded(b *codeBlock) *tier1.Block {
	w.segments = w.segments[:0]
	for _, s := range b.Segments {
		w.segments = append(w.segments, tier1.Segment(s))
	}
	return &tier1.Block{
		Width: b.width, Height: b.height, Orientation: b.orientation, Style: tier1.Style(b.style & partOneStyles),
		BitPlanes: b.coded(), Passes: b.Passes, Data: w.data, Segments: w.segments,
	}
}

// partOneStyles are the style bits of Part 1.
const partOneStyles = codestream.HT - 1

func (w *blockWorkspace) decodeThroughput(b *codeBlock) (coefficients, error) {
	if b.coded() > ht.MaxBitPlanes {
		return coefficients{}, fmt.Errorf("%d bit-planes of high throughput: %w", b.coded(), errUndecodable)
	}
	cleanup := len(w.data)
	if len(b.Segments) > 0 {
		cleanup = min(b.Segments[0].Length, cleanup)
	}
	w.numbers = reuse.Slice(w.numbers, b.width*b.height)
	block := ht.Block{
		Width: b.width, Height: b.height, BitPlanes: b.bitPlanes + b.shift, MissingBitPlanes: b.MissingBitPlanes, Passes: b.Passes,
		Cleanup: w.data[:cleanup], Refinement: w.data[cleanup:], VerticallyCausal: b.style&codestream.VerticallyCausal != 0,
	}
	err := w.throughput.Decode(&block, w.numbers)
	if err != nil && !errors.Is(err, ht.ErrUnrefined) {
		return coefficients{}, err
	}
	return finish(b, w.numbers, err)
}

// finish converts decoded coefficients to their stored form.
func finish[T integer](b *codeBlock, numbers []T, err error) (coefficients, error) {
	if errors.Is(err, tier1.ErrInvalid) {
		return coefficients{}, err
	}
	wavelet.LowerRegion(numbers, b.shift)
	return newCoefficients(numbers, b.bits(), b.halved), err
}
