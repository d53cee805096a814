package decoder

import (
	"encoding/binary"
	"math/bits"
)

// boolReader is the arithmetic decoder of RFC 6386, section 7. Probabilities of a 0 are given in
// 256ths. It reads zeros beyond the end of the data and sets ended.
type boolReader struct {
	data []byte
	at   int // index of the next byte to load
	// Loaded bits, starting at the highest; the first eight are compared with the split.
	value uint64
	span  uint32 // width of the interval: 128 to 255
	count int    // number of valid bits in value; the bits below are correct or zero
	ended bool   // set when bits beyond the end were read
}

func newBoolReader(data []byte) boolReader { return boolReader{data: data, span: 255} }

// load fills value with as many bytes as fit. Near the end of the data it loads at most one byte.
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

// bit decodes one bit. probability is the probability of a 0.
func (r *boolReader) bit(probability uint8) int {
	if r.count < 8 {
		r.load()
	}
	span := 1 + (r.span-1)*uint32(probability)>>8 // width of the interval for 0
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

// flag decodes a bit of even probability.
func (r *boolReader) flag() bool { return r.bit(128) == 1 }

// uint decodes n bits of even probability, highest first.
func (r *boolReader) uint(n int) int {
	v := 0
	for range n {
		v = v<<1 | r.bit(128)
	}
	return v
}

// signed decodes an n-bit magnitude and a sign.
func (r *boolReader) signed(n int) int {
	v := r.uint(n)
	if r.flag() {
		return -v
	}
	return v
}

// optional decodes a signed number that is preceded by a flag. It returns 0 if the flag is not set.
func (r *boolReader) optional(n int) int {
	if r.flag() {
		return r.signed(n)
	}
	return 0
}
