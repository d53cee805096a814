package encoder

import (
	"math/bits"

	"tileserver/codec/deflate"
)

const (
	// maxCodeBits is one less than the format allows, so that four codes and the pending bits fit
	// into a word.
	maxCodeBits       = 14
	maxHeaderCodeBits = 7
)

// code holds the bits of a prefix code, first bit lowest, above its length in the lowest byte.
// Shift instructions use only the lowest six bits of a count, so a code can serve as shift count
// directly.
type code uint32

func newCode(value uint16, length uint8) code { return code(value)<<8 | code(length) }

func (c code) value() uint64 { return uint64(c >> 8) }
func (c code) length() uint  { return uint(c & 0xff) }

// codes holds the codes of a block.
type codes struct {
	literals  [deflate.LiteralSymbols]code
	distances [deflate.DistanceSymbols]code
}

// fixedCodes holds the codes that a block need not describe; read-only.
var fixedCodes = func() (c codes) {
	var lengths [deflate.FixedLiteralSymbols]uint8 // the last two have codes but no symbols
	for symbol := range lengths {
		lengths[symbol] = deflate.FixedLiteralBits(symbol)
	}
	var all [deflate.FixedLiteralSymbols]code
	assign(all[:], lengths[:])
	copy(c.literals[:], all[:])
	for i := range c.distances {
		c.distances[i] = newCode(bits.Reverse16(uint16(i))>>(16-deflate.FixedDistanceBits), deflate.FixedDistanceBits)
	}
	return c
}()

// fit computes optimal codes for the counted symbols.
func (c *codes) fit(t *symbolCounts) {
	var lengths [deflate.LiteralSymbols]uint8
	codeLengths(lengths[:], t.literals[:], maxCodeBits)
	assign(c.literals[:], lengths[:])
	codeLengths(lengths[:deflate.DistanceSymbols], t.distances[:], maxCodeBits)
	assign(c.distances[:], lengths[:deflate.DistanceSymbols])
}

// cost returns the number of bits of all counted symbols.
func (c *codes) cost(t *symbolCounts) int {
	total := 0
	for i, count := range &t.literals {
		total += int(count) * int(c.literals[i].length())
	}
	for i, count := range t.literals[deflate.FirstLength:] {
		total += int(count) * int(deflate.LengthExtraBits[i])
	}
	for i, count := range &t.distances {
		total += int(count) * (int(c.distances[i].length()) + int(deflate.DistanceExtraBits[i]))
	}
	return total
}

// assign computes canonical codes: ordered by length, then by symbol.
func assign(codes []code, lengths []uint8) {
	var counts, next [16]uint16
	for _, length := range lengths {
		counts[length&15]++
	}
	counts[0] = 0
	first := uint16(0)
	for length := 1; length < len(next); length++ {
		first = (first + counts[length-1]) << 1
		next[length] = first
	}
	for i, length := range lengths {
		codes[i] = 0
		if length > 0 {
			codes[i] = newCode(bits.Reverse16(next[length&15])>>(16-length), length)
			next[length&15]++
		}
	}
}
