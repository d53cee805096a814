package lzw

import (
	"encoding/binary"
	"math/bits"
)

// codeReader reads codes of any width at any bit of src: a load for each code costs less than a buffer of bits.
type codeReader struct {
	src          []byte
	bit          int // of the next code
	highestFirst bool
	early        int // how many codes early the width grows
}

// next reads the next code; it fails at the end of the input.
func (r *codeReader) next(width uint) (code int, ok bool) {
	at := r.bit >> 3
	if at+4 > len(r.src) {
		return r.last(width)
	}
	word := binary.LittleEndian.Uint32(r.src[at:])
	code = r.extract(word, width)
	r.bit += int(width)
	return code, true
}

// extract takes the next code out of the four bytes it begins in.
func (r *codeReader) extract(word uint32, width uint) int {
	shift := uint(r.bit & 7)
	if r.highestFirst {
		return int(bits.ReverseBytes32(word) << shift >> (32 - width&31))
	}
	return int(word >> shift & (1<<(width&31) - 1))
}

// last reads codes from the last bytes of src.
func (r *codeReader) last(width uint) (code int, ok bool) {
	if r.bit+int(width) > 8*len(r.src) {
		return 0, false
	}
	var padded [4]byte
	copy(padded[:], r.src[r.bit>>3:])
	code = r.extract(binary.LittleEndian.Uint32(padded[:]), width)
	r.bit += int(width)
	return code, true
}
