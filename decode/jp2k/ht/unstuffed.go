package ht

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// Stream is one of the streams of bits that the segments of a block hold. Those who decode blocks elsewhere
// read them as Unstuff writes them.
type Stream int

// The streams. SigProp and MagRef are those of significance propagation and magnitude refinement.
const (
	MEL Stream = iota
	VLC
	MagSgn
	SigProp
	MagRef

	Streams // is how many there are
)

// Padding is how many bytes Unstuff may write behind a stream.
const Padding = streamPadding

// Sound returns the error that Decode returns because of the parameters of a block and the lengths of its
// segments, whatever bits these hold.
func (b *Block) Sound() error {
	if err := b.check(math.MaxInt); err != nil || b.Passes == 0 {
		return err
	}
	if _, err := b.suffix(); err != nil {
		return err
	}
	return b.refinable()
}

// Refines reports whether the block has passes after the cleanup pass that are not skipped.
func (b *Block) Refines() bool { return b.Passes > 1 && len(b.Refinement) > 0 }

// refinable returns ErrUnrefined if no bit-plane is left to refine.
func (b *Block) refinable() error {
	if b.Refines() && b.plane() == 0 {
		return fmt.Errorf("%w: the cleanup pass codes the last of %d bit-planes", ErrUnrefined, b.BitPlanes)
	}
	return nil
}

// MaxUnstuffed returns the maximum size of a stream of a sound block, in bytes.
func (b *Block) MaxUnstuffed(s Stream) int {
	if size := min(len(b.stuffed(s)), b.maxNeeded(s)); size > 0 {
		return size + 1 // the last byte may be filling
	}
	return 0
}

// Unstuff writes a stream of a sound block without the bits that encoders stuff, the first bit lowest. It
// returns the size of the stream. Behind it follow zeros, but ones behind MEL and MagSgn. There has to be
// room for MaxUnstuffed and Padding.
func (b *Block) Unstuff(s Stream, to []byte) (size int) {
	from := b.stuffed(s)
	if len(from) == 0 {
		return 0
	}
	to = to[:min(len(from), b.maxNeeded(s))+streamPadding]
	switch s {
	case MEL:
		return unstuffMEL(to, from)
	case VLC:
		return unstuffVLC(to, from)
	case MagSgn:
		return (&unstuffer{to: to}).forward(from, 0xFF)
	case SigProp:
		return (&unstuffer{to: to}).forward(from, 0)
	}
	return (&unstuffer{to: to}).backward(from, 0xFF)
}

// stuffed returns the bytes that hold a stream of a sound block.
func (b *Block) stuffed(s Stream) []byte {
	if b.Passes == 0 || s >= SigProp && !b.Refines() || s == MagRef && b.Passes < 3 {
		return nil
	}
	if s >= SigProp {
		return b.Refinement
	}
	suffix, _ := b.suffix()
	if s == MagSgn {
		return b.Cleanup[:len(b.Cleanup)-len(suffix)]
	}
	return suffix
}

// maxNeeded returns how many bytes of a stream are read at most.
func (b *Block) maxNeeded(s Stream) int {
	switch s {
	case MEL:
		return b.maxMELBytes()
	case VLC:
		return vlcBytes
	case MagSgn:
		return maxMagnitudeBytes
	}
	return maxRefinementBytes
}

// maxMELBytes bounds the bytes of the MEL segment. Each quad may take an event, and so may each pair in the
// first row. Events take at most two bits each on average: the states in which one may take more follow long
// runs. The last run may be begun for a single event. A byte has at least seven bits.
func (b *Block) maxMELBytes() int {
	events := (b.Width+1)/2*((b.Height+1)/2) + (b.Width+3)/4
	return (2*events+melBits)/7 + 1
}

// unstuffMEL unstuffs as much of the MEL segment at the beginning of a suffix as there is room for.
func unstuffMEL(to, suffix []byte) (end int) {
	m, u := mel{suffix: suffix}, unstuffer{to: to}
	limit := len(to) - streamPadding
	for m.next < limit {
		if word, ok := m.plainWord(); ok && m.next+8 <= limit {
			u.word(bits.Reverse64(bits.ReverseBytes64(word)))
			m.next, m.last = m.next+8, 0
			continue
		}
		count := uint(8)
		if m.last == 0xFF {
			count = 7
		}
		m.last = m.byte()
		u.byte(bits.Reverse8(m.last)>>(8-count), count)
	}
	return u.finish(0xFF)
}

// plainWord returns the next eight bytes, if none of them is 0xFF nor follows one, nor has the length of the
// suffix.
func (m *mel) plainWord() (word uint64, ok bool) {
	if m.last == 0xFF || m.next+8 > len(m.suffix)-2 {
		return 0, false
	}
	word = binary.LittleEndian.Uint64(m.suffix[m.next:])
	return word, (^word-lowBits)&word&highBits == 0
}

// unstuffVLC unstuffs the VLC segment at the end of a suffix. The last twelve bits of the suffix are its length.
func unstuffVLC(to, suffix []byte) (end int) {
	from, half := suffix[:len(suffix)-2], suffix[len(suffix)-2]|0x0F
	u := unstuffer{to: to, bits: uint64(half >> 4), count: 4}
	if half&0x70 == 0x70 {
		u.bits, u.count = 7, 3
	}
	return u.backward(from, half)
}
