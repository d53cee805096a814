package tier1

import (
	"bytes"
	"slices"
)

const (
	stuffed    = 0xFF // the byte behind has only seven bits of the code
	lastInCode = 0x8F // what is above behind a stuffed byte is a marker: no code any more
)

// unstuff makes the plain code of a codeword: the stuffed bits are left out. In arithmetic codewords they are carries, which belong to what
// is before them. The standard's decoder adds them only when it comes to them; what an encoder wrote, it decodes to the same symbols.
func (c *coder) unstuff(codeword []byte, carries bool) {
	c.plain = slices.Grow(c.plain[:0], len(codeword)+2*wordBytes)
	straight := bytes.IndexByte(codeword, stuffed) + 1
	if straight == 0 {
		straight = len(codeword)
	}
	c.plain = append(c.plain, codeword[:straight]...)

	pending, count := uint64(0), uint(0) // bits that make no byte yet
	for i := straight; i < len(codeword); i++ {
		b := codeword[i]
		size := uint(8)
		if codeword[i-1] == stuffed {
			if b > lastInCode {
				break
			}
			if carries && b >= 0x80 {
				pending++
				if pending>>count != 0 {
					pending = 0
					carry(c.plain)
				}
			}
			b &= 0x7F
			size = 7
		}
		pending = pending<<size | uint64(b)
		count += size
		if count >= 8 {
			count -= 8
			c.plain = append(c.plain, byte(pending>>count))
			pending &= 1<<count - 1
		}
	}
	c.bits = 8*len(c.plain) + int(count)
	if count > 0 {
		c.plain = append(c.plain, byte(pending<<(8-count))|0xFF>>count)
	}
	for len(c.plain)%wordBytes != 0 {
		c.plain = append(c.plain, 0xFF)
	}
}

// carry adds one to a number of many bytes. Out of its top nothing is carried in a sound codeword.
func carry(number []byte) {
	for i := len(number) - 1; i >= 0; i-- {
		number[i]++
		if number[i] != 0 {
			return
		}
	}
}
