package ccitt

import "encoding/binary"

// input is the data of one call.
type input struct{ src []byte }

// cursor is a place in the input. It is small and passed by value, so that it lives in registers.
//
// The highest count bits of word come next; the bits below them are zero, or are those that the next refill will put
// there anyway. A negative count tells of codes that went past the end of the input.
type cursor struct {
	word  uint64
	count int
	next  int // byte to add to word
}

// enoughBits is what a refill leaves at least, unless the input ends.
const enoughBits = 56

// refill tops the word up to enoughBits, or to what is left of the input.
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

// drop forgets the first count bits.
func (c cursor) drop(count uint8) cursor {
	c.word <<= count & 63
	c.count -= int(count)
	return c
}

// aligned goes on to the next multiple of so many bytes.
func (in *input) aligned(c cursor, bytes int) cursor {
	position := (8*c.next - c.count + 7) / 8
	return cursor{next: (position + bytes - 1) / bytes * bytes}
}

// missing tells why no code was found at c: the input is over, or else it is damaged.
func (in *input) missing(c cursor) error {
	if c = in.refill(c); c.count < 0 || c.next == len(in.src) && c.word == 0 {
		return ErrTruncated
	}
	return ErrCorrupt
}
