package jpeg

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// errEndsEarly reports entropy-coded data that are at an end before the picture is.
var errEndsEarly = fmt.Errorf("%w: data end early", ErrCorrupt)

// entropyReader takes bits from the data between two markers. Where they end, zeros follow: whoever takes bits looks
// afterwards whether there were so many.
type entropyReader struct {
	data  []byte // without stuffing, but with padding
	end   int    // of the data proper
	at    int    // in data, of what is not in bits yet
	bits  uint64 // the next ones, from the highest on
	count int    // of bits that are counted as there; those below are right or zero
}

// paddingBytes is more than one step of decoding takes, which is 64 coefficients of at most 31 bits.
const paddingBytes = 264

// fill takes the data at the head of stream, up to a marker, and returns what follows them.
func (r *entropyReader) fill(stream []byte) (rest []byte) {
	if most := len(stream) + paddingBytes; cap(r.data) < most {
		r.data = make([]byte, 0, most)
	}
	data := r.data[:0]
	for {
		next := bytes.IndexByte(stream, 0xFF)
		if next < 0 {
			data, stream = append(data, stream...), nil
			break
		}
		behind := next + 1
		for behind < len(stream) && stream[behind] == 0xFF {
			behind++
		}
		if behind == len(stream) || stream[behind] != 0 {
			data, stream = append(data, stream[:next]...), stream[behind-1:]
			break
		}
		data, stream = append(data, stream[:next+1]...), stream[behind+1:]
	}
	r.end = len(data)
	r.data = append(data, make([]byte, paddingBytes)...)
	r.at, r.bits, r.count = 0, 0, 0
	return stream
}

// overrun tells whether more bits were taken than there were.
func (r *entropyReader) overrun() bool { return 8*r.at-r.count > 8*r.end }

// refill makes sure that at least 32 bits are there, of a reader that has not overrun by more than the padding.
func (r *entropyReader) refill() {
	r.bits |= binary.BigEndian.Uint64(r.data[r.at:]) >> (r.count & 63)
	r.at += (63 - r.count) >> 3
	r.count |= 56
}

// skip drops bits, of which there must be so many.
func (r *entropyReader) skip(n int) {
	r.bits <<= n & 63
	r.count -= n
}

// take is the next n bits as a number, n at most 32.
func (r *entropyReader) take(n int) uint32 {
	if r.count < 32 {
		r.refill()
	}
	v := uint32(r.bits >> (64 - n))
	r.skip(n)
	return v
}

// symbol decodes one without the value behind it.
func (r *entropyReader) symbol(h *huffman) (symbol byte, ok bool) {
	if r.count < 32 {
		r.refill()
	}
	if e := h.short[r.bits>>(64-symbolBits)]; e != 0 {
		r.skip(int(e & 0xFF))
		return byte(e >> 8), true
	}
	symbol, n := h.longCode(r.bits)
	r.skip(n)
	return symbol, n > 0
}

// value decodes what a DC table codes: a symbol and the value behind it.
func (r *entropyReader) value(h *huffman) (value int32, ok bool) {
	if r.count < 32 {
		r.refill()
	}
	e := h.fast[r.bits>>(64-fastBits)]
	if e&unresolved != 0 {
		if e = h.resolve(e, r.bits); e == 0 {
			return 0, false
		}
	}
	r.skip(int(e & lengthMask))
	return int32(e) >> valueShift, true
}

// block decodes all coefficients of a block that is zero, the first as a difference from mean. It returns the first, and
// the place of the last that is not zero in zigzag order.
//
// Everything is in registers here: this loop is where the time goes.
func (r *entropyReader) block(b *block, dc, ac *huffman, mean int32) (newMean int32, last int, ok bool) {
	data, at, bits, count := r.data, r.at, r.bits, r.count
	if count < 32 {
		bits |= binary.BigEndian.Uint64(data[at:]) >> (count & 63)
		at += (63 - count) >> 3
		count |= 56
	}
	e := dc.fast[bits>>(64-fastBits)]
	if e&unresolved != 0 {
		e = dc.resolve(e, bits)
	}
	mean += int32(e) >> valueShift
	b[0] = int16(mean)
	k := 0
	for ok = e != 0; ok && k < blockSize-1; {
		bits <<= e & lengthMask
		count -= int(e & lengthMask)
		if count < 32 {
			bits |= binary.BigEndian.Uint64(data[at:]) >> (count & 63)
			at += (63 - count) >> 3
			count |= 56
		}
		e = ac.fast[bits>>(64-fastBits)]
		if e&unresolved != 0 {
			if e = ac.resolve(e, bits); e == 0 {
				return 0, 0, false
			}
		}
		k += int(e >> stepShift & 0xFF)
		if k >= blockSize {
			break
		}
		b[blockOrder[k]] = int16(e >> valueShift)
	}
	r.at, r.bits, r.count = at, bits<<(e&lengthMask), count-int(e&lengthMask)
	return mean, k &^ endOfBlock, ok && (k < blockSize || k >= endOfBlock) && !r.overrun()
}
