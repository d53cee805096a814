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
	if r.bit+int(width) > 8*len(r.src) {
		return 0, false
	}
	var four [4]byte
	copy(four[:], r.src[r.bit>>3:])
	code = extract(binary.LittleEndian.Uint32(four[:]), uint(r.bit&7), 32-width, r.highestFirst)
	r.bit += int(width)
	return code, true
}

// until is how many strings are to be added before the one after which codes get wider.
func (r *codeReader) until(next int, width uint) int { return 1<<(width&31) - r.early - 1 - next }

// extract takes a code out of the four bytes it begins in: after the given number of bits, and leaving out as many in all
// as lie beside it.
func extract(word uint32, after, beside uint, highestFirst bool) int {
	if highestFirst {
		return int(bits.ReverseBytes32(word) << (after & 31) >> (beside & 31))
	}
	return int(word << ((beside - after) & 31) >> (beside & 31))
}
