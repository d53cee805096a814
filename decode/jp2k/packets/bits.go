package packets

import "math/bits"

// bitReader reads the bits of packet headers. A byte that follows FF has seven of them, so that no header holds
// what looks like a marker.
type bitReader struct {
	stream *stream // where more bytes come from, or nil if all are at hand

	bytes []byte // not taken yet
	at    int64  // the place of the first of them

	held  uint64 // bits that were taken and not read, from the highest on; zeros below
	left  int    // how many
	taken uint64 // the last bytes that were taken; the latest is the lowest
	ended bool   // bits were wanted that are not there: they read as zeros
}

// mostAhead is how many bits are held before bytes are no longer taken ahead: with one more byte, all that hold
// them are among the last seven, and taken has the one before those too.
const mostAhead = 48

// start goes to the byte at which a header begins.
func (b *bitReader) start(at int64) {
	if b.stream != nil {
		b.bytes = b.stream.bytes(at)
	}
	b.at, b.held, b.left, b.taken, b.ended = at, 0, 0, 0, false
}

// fill takes bytes: as many as are at hand, and more only if there are fewer bits than needed.
func (b *bitReader) fill(needed int) {
	for {
		for len(b.bytes) > 0 && b.left <= mostAhead {
			n := bitsAfter(byte(b.taken))
			b.held |= uint64(b.bytes[0]) << (64 - n - b.left)
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

// bitsAfter is how many bits a byte has that comes after another one.
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
	v := uint(b.held >> 63)
	b.held <<= 1
	b.left--
	return v
}

// number reads an unsigned number of so many bits, 32 at most.
func (b *bitReader) number(bits int) int {
	if b.left < bits {
		b.fill(bits)
	}
	v := int(b.held >> (64 - bits))
	b.held <<= bits
	b.left -= bits
	return v
}

// zeros reads zeros, so many at most, and the one behind them if there are fewer.
func (b *bitReader) zeros(most int) (count int, one bool) {
	for count < most {
		if b.left == 0 {
			b.fill(1)
		}
		n := min(bits.LeadingZeros64(b.held), b.left, most-count)
		b.held <<= n
		b.left -= n
		count += n
		if count < most && b.left > 0 {
			b.held <<= 1
			b.left--
			return count, true
		}
	}
	return count, false
}

// end passes over the bits that fill the header's last byte, and gives back the bytes that were taken ahead.
func (b *bitReader) end() {
	for n := bitsAfter(byte(b.taken >> 8)); b.left >= n; n = bitsAfter(byte(b.taken >> 8)) {
		b.left -= n
		b.taken >>= 8
		b.at--
	}
	b.bytes, b.held, b.left = nil, 0, 0
	if byte(b.taken) == 0xff {
		b.at++
	}
}
