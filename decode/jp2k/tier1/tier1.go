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
	field field
	coder coder
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
	j := blockDecoder[int32]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &passes32, raw: &raw32}
	return j.decode()
}

// Decode64 is like Decode, with up to MaxBitPlanes64 bit-planes, but slower.
func (d *Decoder) Decode64(b *Block, out []int64) error {
	if err := b.check(MaxBitPlanes64, len(out)); err != nil {
		return err
	}
	j := blockDecoder[int64]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &passes64, raw: &raw64}
	return j.decode()
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
