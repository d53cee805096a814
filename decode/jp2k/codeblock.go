package jp2k

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/decode/jp2k/codestream"
	"tileserver/decode/jp2k/ht"
	"tileserver/decode/jp2k/packets"
	"tileserver/decode/jp2k/tier1"
	"tileserver/decode/jp2k/wavelet"
)

// codeBlock is a code-block to be decoded: numbers and bytes, and nothing of where they are
// from, so that a device could decode many of them instead.
type codeBlock struct {
	packets.Block
	width, height int
	orientation   codestream.Orientation
	style         codestream.Style
	bitPlanes     int // that magnitudes of the band have
	shift         int // of a region of interest
	halved        bool
	data          [][]byte // the chunks
}

// coded is how many bit-planes may have bits. In high throughput, one pass codes all of them
// down to its own.
func (b *codeBlock) coded() int {
	if b.HT {
		return b.bitPlanes + b.shift
	}
	return b.bitPlanes + b.shift - b.MissingBitPlanes
}

// bits is how many the magnitudes of the coefficients have, with the fraction bit that is left
// where they are not halved.
func (b *codeBlock) bits() int {
	bits := min(b.coded(), b.bitPlanes)
	if !b.halved {
		bits++
	}
	return bits
}

// bytes is what reading and decoding the code-block takes.
func (b *codeBlock) bytes() int64 {
	return int64(b.Length) + int64(b.width)*int64(b.height)*coefficientBytes(b.bits()) + codeBlockBytes
}

// codeBlockBytes is about what a code-block takes beside its bytes and coefficients.
const codeBlockBytes = 512

// errUndecodable is what a code-block gets that nobody knows how to decode, though it may be
// sound.
var errUndecodable = errors.New("code-block of a kind that is not read")

// decoding is code-blocks that are decoded together.
type decoding struct {
	blocks  []codeBlock
	made    []coefficients         // of blocks
	benches *sync.Pool             // of *blockBench
	damaged func(i int, err error) // a block, of which what is sound was made
}

// Len is how many code-blocks there are.
func (d *decoding) Len() int { return len(d.blocks) }

// Do decodes one of them. What is damaged costs the block and is no error.
func (d *decoding) Do(i int) error {
	bench, _ := d.benches.Get().(*blockBench)
	if bench == nil {
		bench = new(blockBench)
	}
	defer d.benches.Put(bench)
	made, err := bench.decode(&d.blocks[i])
	switch {
	case errors.Is(err, errUndecodable):
		return err
	case err != nil:
		made.lost = err
		d.damaged(i, err)
	}
	d.made[i] = made
	return nil
}

// blockBench is the memory in which one code-block after the other is decoded.
type blockBench struct {
	arithmetic tier1.Decoder
	throughput ht.Decoder
	data       []byte
	segments   []tier1.Segment
	numbers    []int32
	long       []int64
}

// decode makes the coefficients. Those that come with an error are what is sound.
func (w *blockBench) decode(b *codeBlock) (coefficients, error) {
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
	case b.coded() > mostBitPlanes:
		w.long = room(w.long, b.width*b.height)
		return finished(b, w.long, w.arithmetic.Decode64(w.coded(b), w.long))
	}
	w.numbers = room(w.numbers, b.width*b.height)
	return finished(b, w.numbers, w.arithmetic.Decode(w.coded(b), w.numbers))
}

// coded is b as the arithmetic decoder takes it.
func (w *blockBench) coded(b *codeBlock) *tier1.Block {
	w.segments = w.segments[:0]
	for _, s := range b.Segments {
		w.segments = append(w.segments, tier1.Segment(s))
	}
	orientation := tier1.LL // and LH
	switch b.orientation {
	case codestream.HL:
		orientation = tier1.HL
	case codestream.HH:
		orientation = tier1.HH
	}
	return &tier1.Block{
		Width: b.width, Height: b.height, Orientation: orientation, Style: tier1.Style(b.style & partOneStyles),
		BitPlanes: b.coded(), Passes: b.Passes, Data: w.data, Segments: w.segments,
	}
}

// partOneStyles are those that have nothing to do with high throughput.
const partOneStyles = codestream.HT - 1

func (w *blockBench) decodeThroughput(b *codeBlock) (coefficients, error) {
	if b.coded() > ht.MaxBitPlanes {
		return coefficients{}, fmt.Errorf("%d bit-planes of high throughput: %w", b.coded(), errUndecodable)
	}
	cleanup := len(w.data)
	if len(b.Segments) > 0 {
		cleanup = min(b.Segments[0].Length, cleanup)
	}
	w.numbers = room(w.numbers, b.width*b.height)
	block := ht.Block{
		Width: b.width, Height: b.height, BitPlanes: b.bitPlanes + b.shift, MissingBitPlanes: b.MissingBitPlanes, Passes: b.Passes,
		Cleanup: w.data[:cleanup], Refinement: w.data[cleanup:], VerticallyCausal: b.style&codestream.VerticallyCausal != 0,
	}
	err := w.throughput.Decode(&block, w.numbers)
	if err != nil && !errors.Is(err, ht.ErrUnrefined) {
		return coefficients{}, err
	}
	return finished(b, w.numbers, err)
}

// finished is what is kept of what was decoded.
func finished[T integer](b *codeBlock, numbers []T, err error) (coefficients, error) {
	if errors.Is(err, tier1.ErrInvalid) {
		return coefficients{}, err
	}
	wavelet.LowerRegion(numbers, b.shift)
	return newCoefficients(numbers, b.bits(), b.halved), err
}

// room is memory for n numbers, in what there is if that is enough.
func room[T any](memory []T, n int) []T {
	if cap(memory) < n {
		return make([]T, n)
	}
	return memory[:n]
}
