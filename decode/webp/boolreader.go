package webp

import (
	"encoding/binary"
	"math/bits"
)

// boolReader is the arithmetic decoder of RFC 6386, 7. It decodes bits whose probabilities of being 0 are given in parts
// of 256. Past the end of its data there are zeros, and it remembers that.
type boolReader struct {
	data  []byte
	at    int    // what of data is to be loaded next
	value uint64 // what is loaded and not used up, from the highest bit on; the first eight bits are compared
	span  uint32 // of the interval: 128 to 255
	count int    // how many bits of value are loaded; those below are what data hold there, or zero
	ended bool   // it was read past its end
}

func newBoolReader(data []byte) boolReader { return boolReader{data: data, span: 255} }

// load takes as many bytes as there is room for; near the end one, or none.
func (r *boolReader) load() {
	if rest := r.data[r.at:]; len(rest) >= 8 {
		r.value |= binary.BigEndian.Uint64(rest) >> (r.count & 63)
		r.at += (63 - r.count) >> 3
		r.count |= 56
		return
	}
	if r.at == len(r.data) {
		r.ended = true
	} else {
		r.value |= uint64(r.data[r.at]) << ((56 - r.count) & 63)
		r.at++
	}
	r.count += 8
}

// bit is 1 or 0; probability is that of 0.
func (r *boolReader) bit(probability uint8) int {
	if r.count < 8 {
		r.load()
	}
	span := 1 + (r.span-1)*uint32(probability)>>8 // of the part for 0
	value, bit := r.value, 0
	if split := uint64(span) << 56; value >= split {
		value -= split
		span = r.span - span
		bit = 1
	}
	shift := bits.LeadingZeros8(uint8(span))
	r.value = value << (shift & 7)
	r.span = span << (shift & 7)
	r.count -= shift
	return bit
}

// flag is a bit that may as well be 0 as 1.
func (r *boolReader) flag() bool { return r.bit(128) == 1 }

// uint is n even bits, the highest first.
func (r *boolReader) uint(n int) int {
	v := 0
	for range n {
		v = v<<1 | r.bit(128)
	}
	return v
}

// signed is n even bits and a sign.
func (r *boolReader) signed(n int) int {
	v := r.uint(n)
	if r.flag() {
		return -v
	}
	return v
}

// optional is a signed number, or 0 where it is left out.
func (r *boolReader) optional(n int) int {
	if r.flag() {
		return r.signed(n)
	}
	return 0
}
