package packets

import "math/bits"

// bitReader reads the bits of packet headers. A byte after 0xFF has seven bits, so that no header
// contains a marker.
type bitReader struct {
	stream *stream // source of further bytes; nil if bytes has all of them

	bytes []byte // not taken yet
	at    int64  // position of the first byte of bytes

	buffer uint64 // bits that were taken but not read, from the highest down; zeros below
	left   int    // number of bits in buffer
	taken  uint64 // the last bytes that were taken, the latest one lowest
	ended  bool   // bits beyond the end were needed; they read as zeros
}

// maxAhead is the number of bits in buffer above which no more bytes are taken. With one more byte,
// all bytes in buffer are among the last seven, so taken also has the byte before them.
const maxAhead = 48

// start moves to the byte at which a header begins.
func (b *bitReader) start(at int64) {
	if b.stream != nil {
		b.bytes = b.stream.bytes(at)
	}
	b.at, b.buffer, b.left, b.taken, b.ended = at, 0, 0, 0, false
}

// fill takes the available bytes. It fetches more only if buffer has fewer bits than needed.
func (b *bitReader) fill(needed int) {
	for {
		for len(b.bytes) > 0 && b.left <= maxAhead {
			n := bitsAfter(byte(b.taken))
			b.buffer |= uint64(b.bytes[0]) << (64 - n - b.left)
			b.left += n
			b.taken = b.taken<<8 | uint64(b.bytes[0])
			b.bytes = b.bytes[1:]
			b.at++
		}
		if b.left >= needed {
			return
		}
		if b.stream != nil {
			b.bytes = b.stream.bytes(b.at)
		}
		if len(b.bytes) == 0 {
			b.left, b.ended = 64, true
			return
		}
	}
}

// bitsAfter returns the number of bits of a byte that follows another byte.
func bitsAfter(before byte) int {
	if before == 0xff {
		return 7
	}
	return 8
}

func (b *bitReader) bit() uint {
	if b.left == 0 {
		b.fill(1)
	}
	v := uint(b.buffer >> 63)
	b.buffer <<= 1
	b.left--
	return v
}

// number reads an unsigned number of the given bits, 32 at most.
func (b *bitReader) number(bits int) int {
	if b.left < bits {
		b.fill(bits)
	}
	v := int(b.buffer >> (64 - bits))
	b.buffer <<= bits
	b.left -= bits
	return v
}

// zeros reads at most maxCount zeros. If there are fewer, it also reads the one after them.
func (b *bitReader) zeros(maxCount int) (count int, one bool) {
	for count < maxCount {
		if b.left == 0 {
			b.fill(1)
		}
		n := min(bits.LeadingZeros64(b.buffer), b.left, maxCount-count)
		b.buffer <<= n
		b.left -= n
		count += n
		if count < maxCount && b.left > 0 {
			b.buffer <<= 1
			b.left--
			return count, true
		}
	}
	return count, false
}

// end skips the padding of the header's last byte, and returns the bytes that were taken ahead.
func (b *bitReader) end() {
	for n := bitsAfter(byte(b.taken >> 8)); b.left >= n; n = bitsAfter(byte(b.taken >> 8)) {
		b.left -= n
		b.taken >>= 8
		b.at--
	}
	b.bytes, b.buffer, b.left = nil, 0, 0
	if byte(b.taken) == 0xff {
		b.at++
	}
}
