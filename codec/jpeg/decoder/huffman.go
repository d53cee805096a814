package decoder

import "fmt"

const (
	maxCodeBits = 16
	maxSymbols  = 256

	// fastBits is the width of the table that resolves a code together with its value. Most codes
	// with their values are no longer than that.
	fastBits = 10
	// symbolBits is the width of the table for symbols without values.
	symbolBits = 9
)

// entry tells how to interpret the next bits of the stream: their count, the step to the
// coefficient in zigzag order, and its value.
//
//	bits  0-5   number of bits of code and value
//	bit   7     unresolved: bits 0-5 count the bits of the code alone, and the value field holds
//	            the symbol; a count of 0 means a code longer than the table's index, or no code
//	bits  8-15  step to the coefficient
//	bits 16-31  value
type entry uint32

const (
	lengthMask        = 1<<6 - 1
	unresolved  entry = 1 << 7
	stepShift         = 8
	valueShift        = 16
	endOfBlock        = 128 // step beyond the end of the block
	zeroRunStep       = 16
)

// huffman is a Huffman table with lookup tables for decoding.
type huffman struct {
	fast    [1 << fastBits]entry
	short   [1 << symbolBits]uint16 // symbol << 8 | length, or 0
	symbols [maxSymbols]byte
	isDC    bool

	// Codes of n bits, shifted left to 16 bits, are below limits[n] and not below limits[n-1]. A
	// code plus offsets[n] is the index of its symbol.
	limits  [maxCodeBits + 1]uint32
	offsets [maxCodeBits + 1]int

	description [maxCodeBits + maxSymbols]byte
	described   int
}

// definition returns the description that the table was built from. It must not be modified.
func (h *huffman) definition() []byte { return h.description[:h.described] }

// build fills the lookup tables. Codes of one length are consecutive.
func (h *huffman) build(counts, symbols []byte) error {
	clear(h.fast[:])
	clear(h.short[:])
	for i := range h.fast {
		h.fast[i] = unresolved
	}
	copy(h.symbols[:], symbols)
	code, at := 0, 0
	for n := 1; n <= maxCodeBits; n++ {
		count := int(counts[n-1])
		if code+count > 1<<n {
			return fmt.Errorf("%w: a Huffman table with too many codes", ErrCorrupt)
		}
		h.offsets[n] = at - code
		for range count {
			h.addCode(code, n, symbols[at])
			code, at = code+1, at+1
		}
		h.limits[n] = uint32(code) << (maxCodeBits - n)
		code <<= 1
	}
	return nil
}

// addCode writes a code of n bits to all table entries that begin with it.
func (h *huffman) addCode(code, n int, symbol byte) {
	if n <= symbolBits {
		from := code << (symbolBits - n)
		for i := range 1 << (symbolBits - n) {
			h.short[from+i] = uint16(symbol)<<8 | uint16(n)
		}
	}
	if n > fastBits || !h.isValid(symbol) {
		return
	}
	from := code << (fastBits - n)
	_, size := h.stepAndSize(symbol)
	for i := range 1 << (fastBits - n) {
		if n+size > fastBits {
			h.fast[from+i] = unresolved | entry(n) | entry(symbol)<<valueShift
			continue
		}
		h.fast[from+i] = h.entryOf(symbol, n, uint64(from+i)<<(64-fastBits))
	}
}

// isValid reports whether symbol may occur in a stream. Some encoders assign codes to symbols that
// never occur.
func (h *huffman) isValid(symbol byte) bool { return !h.isDC || symbol <= maxCodeBits }

// stepAndSize returns the step to the coefficient of a symbol, and the number of bits of its value.
func (h *huffman) stepAndSize(symbol byte) (step, size int) {
	if h.isDC {
		if symbol == maxCodeBits {
			return 1, 0 // lossless samples only: the value is half the range and needs no bits
		}
		return 1, int(symbol)
	}
	run, size := int(symbol>>4), int(symbol&15)
	if size == 0 && run != zeroRunStep-1 {
		return endOfBlock, 0
	}
	return run + 1, size
}

// entryOf returns the entry of a symbol whose code is the first n bits of bits.
func (h *huffman) entryOf(symbol byte, n int, bits uint64) entry {
	step, size := h.stepAndSize(symbol)
	value := extend(int32(bits<<n>>(64-size)), size)
	if h.isDC && symbol == maxCodeBits {
		value = 1 << 15
	}
	return entry(uint16(value))<<valueShift | entry(step)<<stepShift | entry(n+size)
}

// extend converts a value field of size bits to its signed value. Fields that begin with 0 are
// negative.
func extend(v int32, size int) int32 {
	if size > 0 && v < 1<<(size-1) {
		return v - 1<<size + 1
	}
	return v
}

// resolve returns the full entry for the next bits if the fast table has an unresolved entry e. It
// returns 0 if the bits are not a code.
func (h *huffman) resolve(e entry, bits uint64) entry {
	if n := int(e & lengthMask); n > 0 {
		return h.entryOf(byte(e>>valueShift), n, bits)
	}
	symbol, n := h.longCode(bits)
	if n == 0 || !h.isValid(symbol) {
		return 0
	}
	return h.entryOf(symbol, n, bits)
}

// longCode decodes the code at the start of bits. It returns n = 0 if the bits are not a code.
func (h *huffman) longCode(bits uint64) (symbol byte, n int) {
	head := uint32(bits >> (64 - maxCodeBits))
	for n := 1; n <= maxCodeBits; n++ {
		if head < h.limits[n] {
			return h.symbols[h.offsets[n]+int(head>>(maxCodeBits-n))], n
		}
	}
	return 0, 0
}
