package decoder

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

// errEndsEarly reports entropy-coded data that end before the picture is complete.
var errEndsEarly = fmt.Errorf("%w: truncated data", ErrCorrupt)

// entropyReader reads bits from the data between two markers. It returns zeros beyond the end of
// the data; the caller checks overrun afterwards.
type entropyReader struct {
	data  []byte // without byte stuffing, followed by padding
	end   int    // length of data without the padding
	at    int    // index in data of the next byte that is not yet in bits
	bits  uint64 // the next bits, starting at the highest
	count int    // number of valid bits; the bits below are correct or zero
}

// paddingBytes exceeds what one decoding step can read: 64 coefficients of at most 31 bits.
const paddingBytes = 264

// fill loads the data at the start of stream up to the next jpeg.Marker and returns the rest.
func (r *entropyReader) fill(stream []byte) (rest []byte) {
	if needed := len(stream) + paddingBytes; cap(r.data) < needed {
		r.data = make([]byte, 0, needed)
	}
	data, rest := appendUnstuffed(r.data[:0], stream)
	r.end = len(data)
	r.data = append(data, make([]byte, paddingBytes)...)
	r.at, r.bits, r.count = 0, 0, 0
	return rest
}

// appendUnstuffed appends the data at the start of stream up to the next jpeg.Marker, without byte
// stuffing, and returns the rest.
func appendUnstuffed(data, stream []byte) (longer, rest []byte) {
	for {
		next := bytes.IndexByte(stream, 0xFF)
		if next < 0 {
			return append(data, stream...), nil
		}
		behind := next + 1
		for behind < len(stream) && stream[behind] == 0xFF {
			behind++
		}
		if behind == len(stream) || stream[behind] != 0 {
			return append(data, stream[:next]...), stream[behind-1:]
		}
		data, stream = append(data, stream[:next+1]...), stream[behind+1:]
	}
}

// overrun reports whether more bits were read than the data holds.
func (r *entropyReader) overrun() bool { return 8*r.at-r.count > 8*r.end }

// refill makes at least 32 bits available. The reader must not have overrun the data by more than
// the padding.
func (r *entropyReader) refill() {
	r.bits |= binary.BigEndian.Uint64(r.data[r.at:]) >> (r.count & 63)
	r.at += (63 - r.count) >> 3
	r.count |= 56
}

// skip drops n bits, which must be available.
func (r *entropyReader) skip(n int) {
	r.bits <<= n & 63
	r.count -= n
}

// take reads n bits as a number, for n up to 32.
func (r *entropyReader) take(n int) uint32 {
	if r.count < 32 {
		r.refill()
	}
	v := uint32(r.bits >> (64 - n))
	r.skip(n)
	return v
}

// symbol decodes a symbol without the value that follows it.
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

// value decodes a symbol of a DC table and the value that follows it.
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

// block decodes all coefficients of b, which must be zero. The first coefficient is coded as a
// difference from prediction. It returns the first coefficient and the zigzag index of the last
// nonzero one.
//
// The reader's state stays in local variables because decoding spends most of its time in this
// loop.
func (r *entropyReader) block(b *block, dc, ac *huffman, prediction int32) (newPrediction int32, last int, ok bool) {
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
	prediction += int32(e) >> valueShift
	b[0] = int16(prediction)
	k := 0
	for ok = e != 0; ok && k < jpeg.BlockSize-1; {
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
		if k >= jpeg.BlockSize {
			break
		}
		b[zigzagIndex[k]] = int16(e >> valueShift)
	}
	r.at, r.bits, r.count = at, bits<<(e&lengthMask), count-int(e&lengthMask)
	return prediction, k &^ endOfBlock, ok && (k < jpeg.BlockSize || k >= endOfBlock) && !r.overrun()
}
