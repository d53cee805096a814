// Package tier1 decodes the code-blocks of JPEG 2000 Part 1. Package components calls it for each
// code-block that is not cached. A code-block is bytes and a few numbers; the result is
// coefficients. The package must never know of packets, or how a wavelet is inverted.
//
// Words:
//
//   - A bit-plane holds one bit of each coefficient's magnitude.
//   - A pass codes part of a bit-plane: significance, refinement or cleanup, in this order.
//   - A codeword is the bytes of one or more passes (a segment), coded by the MQ coder (the
//     standard's arithmetic coder) or as raw bits.
//   - A context is what the coder knows about a symbol beforehand: the state of the neighbors.
//   - A stripe is four rows of a code-block; passes scan it column by column.
//   - A slot is the place of a coefficient in the order of the scan. A group is the slots of 16 columns.
//   - A coefficient is significant once its first 1 bit is known.
//   - LPS and MPS are the less and the more probable symbol of a context.
package tier1

import (
	"errors"
	"fmt"

	"tileserver/decode/jp2k/wavelet"
)

// Style is the coding style of code-blocks, with the bits of the standard.
type Style uint8

// The bits of a Style. PredictableTermination only adds redundancy, which the decoder ignores.
const (
	Bypass           Style = 1 << iota // raw bits below the first four bit-planes, except for cleanup passes
	ResetContexts                      // reset after each pass
	TerminateAll                       // end the codeword after each pass
	VerticallyCausal                   // contexts ignore the stripe below
	PredictableTermination
	SegmentationSymbols // written after each cleanup pass
)

// Block is one code-block.
type Block struct {
	Width, Height int
	Orientation   wavelet.Orientation // of its band; contexts depend on it
	Style         Style
	BitPlanes     int // coded bit-planes, from the first one that is not all zeros
	Passes        int
	Data          []byte // the codewords, one after the other
	Segments      []Segment
}

// Segment is a codeword: the bytes of one or more passes.
type Segment struct{ Passes, Length int }

// The limits of a code-block: its size as in the standard, and the bit-planes that fit beside the
// fraction bit and the sign.
const (
	MaxSide        = 1024
	MaxArea        = 4096
	MaxBitPlanes   = 30
	MaxBitPlanes64 = 62
)

var (
	// ErrInvalid reports a block with impossible parameters. Nothing was decoded.
	ErrInvalid = errors.New("invalid code-block")

	// ErrDamaged reports a block whose bytes are damaged. The coefficients hold what the sound
	// passes say.
	ErrDamaged = errors.New("code-block is damaged")
)

// A Decoder holds the scratch memory for decoding. It decodes one code-block at a time and can be
// reused.
type Decoder struct {
	field    field
	coder    coder
	values32 []int32 // by slot
	values64 []int64
}

// Decode writes the coefficients row by row into out, which must have room for Width*Height. The
// coefficients have one fraction bit: they are twice the coded value. Planes that were not decoded
// count as half of their range. So a fully decoded coefficient is odd, and halving it (towards
// zero) gives the exact value. A coefficient of which nothing was coded is 0.
//
// The error is or wraps ErrInvalid or ErrDamaged. A truncated codeword is decoded up to the pass in
// which it ends. A wrong segmentation symbol discards its bit-plane and everything after it.
func (d *Decoder) Decode(b *Block, out []int32) error {
	if err := b.check(MaxBitPlanes, len(out)); err != nil {
		return err
	}
	block := d.newBlock(b)
	err := block.decode()
	d.finish(&block, out)
	return err
}

// A Task is a block to decode, and where to write its coefficients.
type Task struct {
	Decoder *Decoder
	Block   *Block
	Out     []int32
}

// DecodeBoth decodes two blocks as Decode would, with two decoders that are not the same. In assembly that
// takes less time than one after the other.
func DecodeBoth(first, second Task) (err, secondErr error) {
	if first.Block.check(MaxBitPlanes, len(first.Out)) != nil || second.Block.check(MaxBitPlanes, len(second.Out)) != nil {
		return first.Decoder.Decode(first.Block, first.Out), second.Decoder.Decode(second.Block, second.Out)
	}
	block, other := first.Decoder.newBlock(first.Block), second.Decoder.newBlock(second.Block)
	err, secondErr = decodeBoth(&block, &other)
	first.Decoder.finish(&block, first.Out)
	second.Decoder.finish(&other, second.Out)
	return err, secondErr
}

// newBlock returns what decodes a block.
func (d *Decoder) newBlock(b *Block) blockDecoder[int32] {
	return blockDecoder[int32]{plane: plane[int32]{Decoder: d, values: d.values32}, block: b, coded: &passes32, raw: &raw32}
}

// finish writes the coefficients of a block.
func (d *Decoder) finish(block *blockDecoder[int32], out []int32) {
	d.values32 = block.values
	arrange(&d.field, out, block.values, wholeStripe32)
}

// Decode64 is like Decode, with up to MaxBitPlanes64 bit-planes, but slower.
func (d *Decoder) Decode64(b *Block, out []int64) error {
	if err := b.check(MaxBitPlanes64, len(out)); err != nil {
		return err
	}
	block := blockDecoder[int64]{plane: plane[int64]{Decoder: d, values: d.values64}, block: b, coded: &passes64, raw: &raw64}
	err := block.decode()
	d.values64 = block.values
	arrange(&d.field, out, block.values, wholeStripe[int64])
	return err
}

// check returns an error if the parameters of a block exceed the limits.
func (b *Block) check(maxBitPlanes, room int) error {
	switch {
	case b.Width < 1 || b.Height < 1 || b.Width > MaxSide || b.Height > MaxSide || b.Width*b.Height > MaxArea:
		return fmt.Errorf("%w: %d x %d coefficients", ErrInvalid, b.Width, b.Height)
	case room < b.Width*b.Height:
		return fmt.Errorf("%w: room for %d of %d coefficients", ErrInvalid, room, b.Width*b.Height)
	case b.Orientation > wavelet.HH:
		return fmt.Errorf("%w: orientation %d", ErrInvalid, b.Orientation)
	case b.BitPlanes < 0 || b.BitPlanes > maxBitPlanes:
		return fmt.Errorf("%w: %d bit-planes", ErrInvalid, b.BitPlanes)
	case b.Passes < 0:
		return fmt.Errorf("%w: %d passes", ErrInvalid, b.Passes)
	}
	for i, s := range b.Segments {
		if s.Passes < 0 || s.Length < 0 {
			return fmt.Errorf("%w: segment %d has %d passes in %d bytes", ErrInvalid, i, s.Passes, s.Length)
		}
	}
	return nil
}
