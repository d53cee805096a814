package webp

import (
	"encoding/binary"
	"math/bits"
)

// boolReader is the arithmetic decoder of RFC 6386, 7. It decodes bits whose probabilities of being 0 are given in parts
// of 256. Past the end of its data there are zeros, and it remembers that.
type boolReader struct {
	data  []byte // what is still to be loaded
	value uint64 // what is loaded and not used up
	span  uint32 // of the interval, less one: 127 to 254
	count int    // bits of value below the eight that are compared; negative: to be loaded
	ended bool   // it was read past its end
}

func newBoolReader(data []byte) boolReader { return boolReader{data: data, span: 254, count: -8} }

// load takes seven bytes, or what there is.
func (r *boolReader) load() {
	const step = 7
	if len(r.data) >= 8 {
		r.value = r.value<<(8*step) | binary.BigEndian.Uint64(r.data)>>8
		r.count += 8 * step
		r.data = r.data[step:]
		return
	}
	r.value <<= 8
	r.count += 8
	if len(r.data) == 0 {
		r.ended = true
		return
	}
	r.value |= uint64(r.data[0])
	r.data = r.data[1:]
}

// bit is 1 or 0; probability is that of 0.
func (r *boolReader) bit(probability uint8) int {
	if r.count < 0 {
		r.load()
	}
	split := r.span * uint32(probability) >> 8
	bit := 0
	if uint32(r.value>>(r.count&63)) > split {
		r.span -= split + 1
		r.value -= uint64(split+1) << (r.count & 63)
		bit = 1
	} else {
		r.span = split
	}
	shift := bits.LeadingZeros8(uint8(r.span + 1))
	r.span = (r.span+1)<<shift - 1
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
