package webp

import "encoding/binary"

// bitReader gives bits from the lowest of each byte on. Past the end of its data there are zeros, and it remembers that.
type bitReader struct {
	data  []byte // what is still to be loaded
	value uint64
	count int // bits in value
}

// fill makes sure of 56 bits, which may lie past the end.
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

// take drops bits that were looked at.
func (r *bitReader) take(n int) {
	r.value >>= n & 63
	r.count -= n
}

// uint is a number of at most 24 bits.
func (r *bitReader) uint(n int) int {
	if r.count < n {
		r.fill()
	}
	v := int(r.value & (1<<n - 1))
	r.take(n)
	return v
}

// ended tells whether more was taken than there was.
func (r *bitReader) ended() bool { return r.count < 0 }
