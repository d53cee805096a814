package tier1

import (
	"encoding/binary"
	"math/bits"
)

// A coder reads symbols from a codeword, either by arithmetic decoding or as raw bits. The upper 16
// bits of width hold the width of the interval, and the upper 16 bits of code hold the position of
// the code in the interval. The bits of code below these were read ahead; the bits of width below
// are 0.
type coder struct {
	width, code  uint64
	ahead        int    // bits of code below the upper 16 that were read
	initialAhead int    // the value of ahead before anything was read
	position     int    // of the next word in plain; may run past its end
	plain        []byte // the codeword without stuffed bits, padded with ones to a whole word
	bits         int    // bits of plain that came from the codeword
	contexts     contexts
}

const (
	halfWidth  = 1 << 63 // minimum width of an interval
	startAhead = -15     // the first 15 bits of the code lie in the upper 16
	wordBytes  = 4
	wordBits   = 8 * wordBytes

	// minAhead is more than the bits that a symbol takes. The assembly finds fewer when the lower half of
	// the code is empty.
	minAhead = widthShift - wordBits
)

// resetContexts sets all contexts to their initial states.
func (c *coder) resetContexts() { c.contexts = initialContexts }

// begin starts a codeword.
func (c *coder) begin(codeword []byte, carries bool, ahead int) {
	c.unstuff(codeword, carries)
	c.width, c.code = 0, 0
	c.ahead, c.initialAhead, c.position = ahead, ahead, 0
}

// beginArithmetic starts to decode a codeword of the MQ coder.
func (c *coder) beginArithmetic(codeword []byte) {
	c.begin(codeword, true, startAhead)
	c.refill()
	c.width = halfWidth
}

// refill reads the next word ahead. After the end of the codeword it reads ones.
func (c *coder) refill() {
	word := uint32(1<<wordBits - 1)
	if c.position < len(c.plain) {
		word = binary.BigEndian.Uint32(c.plain[c.position:])
	}
	c.position += wordBytes
	c.code += uint64(word) << uint(widthShift-wordBits-c.ahead)
	c.ahead += wordBits
}

// symbol decodes one symbol in a context. Neither the symbol nor the need to renormalize is
// predictable, so the code has as few branches as possible.
func (c *coder) symbol(context uint8) uint64 {
	s := &c.contexts[context&contextMask]
	lps := s.lps()
	width := c.width - lps
	_, exchanged := bits.Sub64(width, lps, 0)
	code, lower := bits.Sub64(c.code, lps, 0)
	symbol := (s.mps() + exchanged + lower) & 1
	if lower != 0 {
		width = lps
		code = c.code
	}
	next := s.after(symbol)
	if width >= halfWidth {
		next = *s // the state changes only when the interval became too narrow
	}
	*s = next
	shift := uint(bits.LeadingZeros64(width))
	c.width = width << (shift & 63)
	c.code = code << (shift & 63)
	c.ahead -= int(shift)
	if c.ahead < minAhead {
		c.refill()
	}
	return symbol
}

// zeros decodes count symbols in a context at once, if all of them are 0 and leave the interval wide enough.
// If not, it decodes none.
func (c *coder) zeros(context uint8, count int) bool {
	s := c.contexts[context&contextMask]
	lps := s.lps() >> widthShift * uint64(count)
	if s.mps() != 0 || lps > (c.width-halfWidth)>>widthShift || lps > c.code>>widthShift {
		return false
	}
	c.width -= lps << widthShift
	c.code -= lps << widthShift
	return true
}

// beginRaw starts to read a codeword of raw bits.
func (c *coder) beginRaw(codeword []byte) {
	c.begin(codeword, false, 0)
}

// rawBit reads one raw bit.
func (c *coder) rawBit() uint64 {
	if c.ahead == 0 {
		c.refill()
	}
	c.ahead--
	bit := c.code >> (widthShift - 1) & 1
	c.code <<= 1
	return bit
}

// overran reports whether the next symbol no longer depends on any bit of the codeword.
func (c *coder) overran() bool {
	return 8*c.position-c.ahead+c.initialAhead >= c.bits
}
