package tier1

import (
	"encoding/binary"
	"math/bits"
)

// A coder reads symbols from a codeword: by arithmetic decoding, or raw bits. The interval's width and the code's place in it
// are kept in the upper 16 bits of a word; below are bits of the codeword that were read ahead, and none for the width.
type coder struct {
	width, place uint64
	ahead        int    // how many bits below the upper 16 were read; negative when bits are missing above
	aheadFirst   int    // what that was before anything was read
	position     int    // in plain, of the next word; goes on behind its end
	plain        []byte // the codeword, without stuffed bits, then ones to a whole word
	bits         int    // how many of its bits came from the codeword
	contexts     contexts
}

const (
	halfWidth  = 1 << 63 // an interval is at least so wide
	startAhead = -15     // the code's first 15 bits lie in the upper 16
	wordBytes  = 4
	wordBits   = 8 * wordBytes
)

// resetContexts forgets what was learned.
func (c *coder) resetContexts() { c.contexts = freshContexts }

// begin starts a codeword from nothing.
func (c *coder) begin(codeword []byte, carries bool, ahead int) {
	c.unstuff(codeword, carries)
	c.width, c.place = 0, 0
	c.ahead, c.aheadFirst, c.position = ahead, ahead, 0
}

// beginArithmetic starts to decode a codeword of the MQ coder.
func (c *coder) beginArithmetic(codeword []byte) {
	c.begin(codeword, true, startAhead)
	c.refill()
	c.width = halfWidth
}

// refill reads the next word ahead. Behind the codeword there are ones without end.
func (c *coder) refill() {
	word := uint32(1<<wordBits - 1)
	if c.position < len(c.plain) {
		word = binary.BigEndian.Uint32(c.plain[c.position:])
	}
	c.position += wordBytes
	c.place += uint64(word) << uint(widthShift-wordBits-c.ahead)
	c.ahead += wordBits
}

// symbol decodes a symbol of a context. Which of its values it has, and whether the interval becomes too narrow, can hardly be
// foretold: so it branches as little as can be.
func (c *coder) symbol(context uint8) uint64 {
	s := &c.contexts[context&contextMask]
	less := s.less()
	width := c.width - less
	_, exchanged := bits.Sub64(width, less, 0)
	place, lower := bits.Sub64(c.place, less, 0)
	symbol := (s.more() + exchanged + lower) & 1
	if lower != 0 {
		width = less
		place = c.place
	}
	next := s.after(symbol)
	if width >= halfWidth {
		next = *s // nothing is learned while the interval remains wide enough
	}
	*s = next
	shift := uint(bits.LeadingZeros64(width))
	c.width = width << (shift & 63)
	c.place = place << (shift & 63)
	c.ahead -= int(shift)
	if c.ahead < 0 {
		c.refill()
	}
	return symbol
}

// beginRaw starts to read a codeword of raw bits.
func (c *coder) beginRaw(codeword []byte) {
	c.begin(codeword, false, 0)
}

// rawBit reads a raw bit.
func (c *coder) rawBit() uint64 {
	if c.ahead == 0 {
		c.refill()
	}
	c.ahead--
	bit := c.place >> (widthShift - 1) & 1
	c.place <<= 1
	return bit
}

// overran tells whether nothing of the codeword is left in what the next symbol depends on.
func (c *coder) overran() bool {
	return 8*c.position-c.ahead+c.aheadFirst >= c.bits
}
