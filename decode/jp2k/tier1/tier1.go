// Package tier1 decodes the code-blocks of JPEG 2000 Part 1: bit-planes in three passes each, told by an arithmetic coder
// (the standard's MQ coder) or as raw bits. It must never know of packets, bands or wavelets: a code-block is bytes and a
// few numbers, and what comes out are coefficients.
package tier1

import (
	"errors"
	"fmt"
)

// Orientation is the kind of subband that a code-block is of, as far as contexts differ.
type Orientation uint8

// The orientations: the first letter is of the horizontal filter, low or high.
const (
	LL Orientation = iota
	HL
	HH
	LH = LL // has the same contexts
)

// Style is how code-blocks are coded: the bits of the standard.
type Style uint8

// The bits of a Style. PredictableTermination only adds redundancy, which is not looked at.
const (
	Bypass           Style = 1 << iota // raw bits below the first four bit-planes, but for cleanup passes
	ResetContexts                      // after each pass
	TerminateAll                       // each pass is a codeword of its own
	VerticallyCausal                   // contexts know nothing of the stripe below
	PredictableTermination
	SegmentationSymbols // at the end of each cleanup pass
)

// Block is one code-block.
type Block struct {
	Width, Height int
	Orientation   Orientation
	Style         Style
	BitPlanes     int // those that are coded, from the first that is not zero everywhere
	Passes        int
	Data          []byte // the codewords, one behind the other
	Segments      []Segment
}

// Segment is a codeword: the bytes of one or more passes.
type Segment struct{ Passes, Length int }

// The limits of a code-block: the standard's, and as many bit-planes as fit with the fraction bit and the sign.
const (
	MaxSide        = 1024
	MaxArea        = 4096
	MaxBitPlanes   = 30
	MaxBitPlanes64 = 62
)

var (
	// ErrInvalid is of a block that cannot be: nothing was decoded.
	ErrInvalid = errors.New("no valid code-block")

	// ErrDamaged is of a block whose bytes are not sound to the end. The coefficients are as good as they could be made:
	// what the sound passes say.
	ErrDamaged = errors.New("code-block is damaged")
)

// Decoder is the memory that decoding takes. It is for one code-block at a time, and may be used for the next.
type Decoder struct {
	field field
	coder coder
}

// Decode writes the coefficients row by row into out, which must have room for Width*Height. They have one fraction bit: they
// are twice what was coded, with what the planes below might hold taken as half of it. So a coefficient whose bit-planes were
// all decoded is odd, and halves (towards zero) to the exact value, and one of which nothing was coded is 0.
//
// The error is ErrInvalid or ErrDamaged, or wraps one. Codewords that are cut short are decoded to the pass in which they end. Where a
// segmentation symbol is wrong, the bit-plane before it is not used, nor what follows.
func (d *Decoder) Decode(b *Block, out []int32) error {
	if err := b.check(MaxBitPlanes, len(out)); err != nil {
		return err
	}
	j := job[int32]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &passes32, raw: &raw32}
	return j.decode()
}

// Decode64 is Decode for up to MaxBitPlanes64, and slower.
func (d *Decoder) Decode64(b *Block, out []int64) error {
	if err := b.check(MaxBitPlanes64, len(out)); err != nil {
		return err
	}
	j := job[int64]{Decoder: d, block: b, out: out[:b.Width*b.Height], coded: &passes64, raw: &raw64}
	return j.decode()
}

// check tells whether the numbers of a block are within limits.
func (b *Block) check(maxBitPlanes, room int) error {
	switch {
	case b.Width < 1 || b.Height < 1 || b.Width > MaxSide || b.Height > MaxSide || b.Width*b.Height > MaxArea:
		return fmt.Errorf("%w: %d x %d coefficients", ErrInvalid, b.Width, b.Height)
	case room < b.Width*b.Height:
		return fmt.Errorf("%w: room for %d of %d coefficients", ErrInvalid, room, b.Width*b.Height)
	case b.Orientation > HH:
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
