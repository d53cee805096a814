package tier1

import (
	"bytes"
	"encoding/binary"
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
	run, rest := cutStuffed(codeword)
	plain = append(plain, run...)
	pending, count := uint64(0), uint(0) // bits that do not fill a byte yet
	for len(rest) > 0 && rest[0] <= lastInCode {
		if carries && rest[0] >= 0x80 {
			pending++
			if pending>>count != 0 {
				pending = 0
				carry(plain)
			}
		}
		pending, count = pending<<7|uint64(rest[0]&0x7F), count+7
		if count >= 8 {
			count -= 8
			plain = append(plain, byte(pending>>count))
			pending &= 1<<count - 1
		}
		run, rest = cutStuffed(rest[1:])
		plain, pending = appendShifted(plain, run, pending, count)
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

// cutStuffed cuts a codeword behind the first byte that a stuffed bit follows.
func cutStuffed(codeword []byte) (run, rest []byte) {
	end := bytes.IndexByte(codeword, stuffed) + 1
	if end == 0 {
		end = len(codeword)
	}
	return codeword[:end], codeword[end:]
}

// appendShifted appends bytes to plain behind pending bits, of which there are count, and returns those
// that do not fill a byte. It is on the way of all bytes, so it takes eight at once.
func appendShifted(plain, run []byte, pending uint64, count uint) (longer []byte, rest uint64) {
	for ; len(run) >= 8; run = run[8:] {
		word := binary.BigEndian.Uint64(run)
		plain = binary.BigEndian.AppendUint64(plain, pending<<(64-count)|word>>count)
		pending = word & (1<<count - 1)
	}
	for _, b := range run {
		pending = pending<<8 | uint64(b)
		plain = append(plain, byte(pending>>count))
		pending &= 1<<count - 1
	}
	return plain, pending
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
