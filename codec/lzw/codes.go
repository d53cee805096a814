package lzw

import (
	"encoding/binary"
	"math/bits"
)

// codeReader reads codes of any width at any bit of src. Loading four bytes for each code is faster
// than maintaining a bit buffer.
type codeReader struct {
	src          []byte
	bit          int // index of the first bit of the next code
	highestFirst bool
	early        int // number of codes by which the width grows early
}

// next reads the next code. It returns false at the end of the input.
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

// until returns the number of strings that can be added before the one that makes codes wider.
func (r *codeReader) until(next int, width uint) int { return 1<<(width&31) - r.early - 1 - next }

// extract returns a code from the four bytes in which it begins. after is the number of bits before
// the code, and unused is the number of bits that do not belong to it.
func extract(word uint32, after, unused uint, highestFirst bool) int {
	if highestFirst {
		return int(bits.ReverseBytes32(word) << (after & 31) >> (unused & 31))
	}
	return int(word << ((unused - after) & 31) >> (unused & 31))
}
