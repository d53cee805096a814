package tier1

import (
	"bytes"
	"slices"
)

const (
	stuffed    = 0xFF // the byte that follows has only seven bits of code
	lastInCode = 0x8F // the largest byte that may follow 0xFF in the code; larger ones make a marker
)

// unstuff writes the codeword without its stuffed bits to plain.
func (c *coder) unstuff(codeword []byte, carries bool) {
	c.plain, c.bits = Unstuff(slices.Grow(c.plain[:0], len(codeword)+2*wordBytes), codeword, carries)
}

// Unstuff appends to plain, which is empty, a codeword without its stuffed bits. It returns how many bits
// that are; ones fill the last word of four bytes. In an arithmetic codeword a stuffed bit of 1 is a carry
// that belongs to the bits before it. The standard's decoder adds carries only when it reaches them; for
// what an encoder wrote, both ways decode the same symbols.
func Unstuff(plain, codeword []byte, carries bool) (unstuffed []byte, bits int) {
	straight := bytes.IndexByte(codeword, stuffed) + 1
	if straight == 0 {
		straight = len(codeword)
	}
	plain = append(plain, codeword[:straight]...)

	pending, count := uint64(0), uint(0) // bits that do not fill a byte yet
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
					carry(plain)
				}
			}
			b &= 0x7F
			size = 7
		}
		pending = pending<<size | uint64(b)
		count += size
		if count >= 8 {
			count -= 8
			plain = append(plain, byte(pending>>count))
			pending &= 1<<count - 1
		}
	}
	bits = 8*len(plain) + int(count)
	if count > 0 {
		plain = append(plain, byte(pending<<(8-count))|0xFF>>count)
	}
	for len(plain)%wordBytes != 0 {
		plain = append(plain, 0xFF)
	}
	return plain, bits
}

// carry adds one to a multi-byte number. In a sound codeword the highest byte never overflows.
func carry(number []byte) {
	for i := len(number) - 1; i >= 0; i-- {
		number[i]++
		if number[i] != 0 {
			return
		}
	}
}
