package ccitt

import "encoding/binary"

// input is the data of one call.
type input struct{ src []byte }

// cursor is a position in the input. It is passed by value to keep it in registers.
//
// The highest count bits of word come next. The bits below are zero or equal the input that the
// next refill adds there. A negative count means that codes exceeded the end of the input.
type cursor struct {
	word  uint64
	count int
	next  int // index of the next byte to add to word
}

// enoughBits is the minimum number of bits after a refill, except at the end of the input.
const enoughBits = 56

// refill fills the word to at least enoughBits bits, or to the end of the input.
func (in *input) refill(c cursor) cursor {
	if c.next+8 > len(in.src) || c.count < 0 {
		return in.refillAtEnd(c)
	}
	c.word |= binary.BigEndian.Uint64(in.src[c.next:]) >> (c.count & 63)
	c.next += (63 - c.count) >> 3
	c.count |= enoughBits
	return c
}

// refillAtEnd adds the last bytes one by one.
func (in *input) refillAtEnd(c cursor) cursor {
	for c.count >= 0 && c.count < enoughBits && c.next < len(in.src) {
		c.word |= uint64(in.src[c.next]) << (enoughBits - c.count)
		c.count += 8
		c.next++
	}
	return c
}

// drop removes the first count bits.
func (c cursor) drop(count uint8) cursor {
	c.word <<= count & 63
	c.count -= int(count)
	return c
}

// align advances to the next multiple of the given number of bytes.
func (in *input) align(c cursor, bytes int) cursor {
	position := (8*c.next - c.count + 7) / 8
	return cursor{next: (position + bytes - 1) / bytes * bytes}
}

// codeError returns the error for invalid bits at c: ErrTruncated at the end of the input,
// otherwise ErrCorrupt.
func (in *input) codeError(c cursor) error {
	if c = in.refill(c); c.count < 0 || c.next == len(in.src) && c.word == 0 {
		return ErrTruncated
	}
	return ErrCorrupt
}
