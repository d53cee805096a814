package decoder

import "encoding/binary"

// bitReader reads bits, starting at the lowest bit of each byte. It returns zeros beyond the end of
// the data, and ended then reports true.
type bitReader struct {
	data  []byte // not yet loaded
	value uint64
	count int // bits in value
}

// fill loads at least 56 bits, as far as there are data.
func (r *bitReader) fill() {
	if len(r.data) >= 8 {
		r.value |= binary.LittleEndian.Uint64(r.data) << (r.count & 63)
		n := (63 - r.count) >> 3
		r.data = r.data[n:]
		r.count += 8 * n
		return
	}
	for r.count <= 56 && len(r.data) > 0 {
		r.value |= uint64(r.data[0]) << r.count
		r.data = r.data[1:]
		r.count += 8
	}
}

// skip drops n bits that have been read.
func (r *bitReader) skip(n int) {
	r.value >>= n & 63
	r.count -= n
}

// uint reads a number of n bits, for n up to 24.
func (r *bitReader) uint(n int) int {
	if r.count < n {
		r.fill()
	}
	v := int(r.value & (1<<n - 1))
	r.skip(n)
	return v
}

// ended reports whether more bits were read than the data hold.
func (r *bitReader) ended() bool { return r.count < 0 }
