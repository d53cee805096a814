package encoder

import (
	"math/bits"

	"tileserver/codec/jpeg"
)

// Example quantization tables of ITU-T T.81, annex K.1, in natural order. They correspond to a
// quality of 50.
var (
	lumaSteps = [64]uint8{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	}
	chromaSteps = [64]uint8{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	}
)

// huffmanCode holds the total length of a code and its value bits in the lowest 5 bits, and above
// them the code, followed by room for the value bits.
type huffmanCode uint32

func (c huffmanCode) length() uint { return uint(c & 31) }
func (c huffmanCode) bits() uint64 { return uint64(c >> 5) }

// with returns the code with its value bits filled in: the lowest bits of value, or of value-1 if
// it is negative.
func (c huffmanCode) with(value int32) huffmanCode {
	return c | huffmanCode(uint32(value+value>>31)&(1<<magnitudeBits(value)-1))<<5
}

// magnitudeBits returns the number of bits of the absolute value.
func magnitudeBits(value int32) uint {
	sign := value >> 31
	return uint(bits.Len32(uint32(value ^ sign - sign)))
}

// codesOf returns the codes of a table by symbol. The lower half of a symbol is the number of value
// bits, for DC and AC alike.
func codesOf(t *jpeg.HuffmanTable) (codes [256]huffmanCode) {
	code, next := uint32(0), 0
	for i, count := range t.Counts {
		for range count {
			symbol := t.Symbols[next]
			valueBits := uint32(symbol & 15)
			codes[symbol] = huffmanCode(code<<valueBits<<5 | uint32(i) + 1 + valueBits)
			code++
			next++
		}
		code <<= 1
	}
	return codes
}

// codeTables holds the codes of one kind of component, and complete codes for small values.
type codeTables struct {
	dc, ac [256]huffmanCode
	// By the run of zeros, then by the value plus smallValues/2.
	small [16 * smallValues]huffmanCode
}

// smallValues is the number of values around zero with complete codes.
const smallValues = 64

// Code tables; read-only.
var (
	lumaCodes   = newCodeTables(&jpeg.TypicalHuffman[0], &jpeg.TypicalHuffman[1])
	chromaCodes = newCodeTables(&jpeg.TypicalHuffman[2], &jpeg.TypicalHuffman[3])
)

func newCodeTables(dc, ac *jpeg.HuffmanTable) codeTables {
	tables := codeTables{dc: codesOf(dc), ac: codesOf(ac)}
	for i := range tables.small {
		run, value := uint(i/smallValues), int32(i%smallValues-smallValues/2)
		if value != 0 {
			tables.small[i] = tables.ac[run<<4|magnitudeBits(value)].with(value)
		}
	}
	return tables
}
