package jpeg

import "fmt"

const (
	maxCodeBits = 16
	maxSymbols  = 256

	// fastBits are looked up at once. Most codes, with the value behind them, are not longer.
	fastBits = 10
	// symbolBits are looked up where a symbol stands by itself.
	symbolBits = 9
)

// An entry of the fast table is what the next bits mean: how many of them, how far the value is from the one before in
// zigzag order, and the value.
//
//	bits  0-5   bits that code and value take
//	bit   7     unresolved: bits 0-5 are those of the code alone, and the value field has the symbol; 0 bits is a code
//	            that is longer than the table is deep, or none
//	bits  8-15  step to the coefficient
//	bits 16-31  value
type entry uint32

const (
	lengthMask        = 1<<6 - 1
	unresolved  entry = 1 << 7
	stepShift         = 8
	valueShift        = 16
	endOfBlock        = 128 // step that leads out of the block
	zeroRunStep       = 16
)

// huffman is a table of codes with what they stand for.
type huffman struct {
	fast    [1 << fastBits]entry
	short   [1 << symbolBits]uint16 // symbol << 8 | length, or 0
	symbols [maxSymbols]byte
	isDC    bool

	// Codes of n bits, moved up to 16, are below limits[n]; where those of fewer bits end, they begin. Adding offsets[n]
	// to a code gives the place of its symbol.
	limits  [maxCodeBits + 1]uint32
	offsets [maxCodeBits + 1]int

	description [maxCodeBits + maxSymbols]byte
	described   int
}

// build fills the tables. Codes of one length are consecutive.
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
			return fmt.Errorf("%w: a Huffman table of more codes than there are", ErrCorrupt)
		}
		h.offsets[n] = at - code
		for range count {
			h.enter(code, n, symbols[at])
			code, at = code+1, at+1
		}
		h.limits[n] = uint32(code) << (maxCodeBits - n)
		code <<= 1
	}
	return nil
}

// enter writes a code to all places that begin with it.
func (h *huffman) enter(code, n int, symbol byte) {
	if n <= symbolBits {
		from := code << (symbolBits - n)
		for i := range 1 << (symbolBits - n) {
			h.short[from+i] = uint16(symbol)<<8 | uint16(n)
		}
	}
	if n > fastBits || !h.hasMeaning(symbol) {
		return
	}
	from := code << (fastBits - n)
	_, size := h.meaning(symbol)
	for i := range 1 << (fastBits - n) {
		if n+size > fastBits {
			h.fast[from+i] = unresolved | entry(n) | entry(symbol)<<valueShift
			continue
		}
		h.fast[from+i] = h.entryOf(symbol, n, uint64(from+i)<<(64-fastBits))
	}
}

// hasMeaning tells whether a symbol may occur. Some writers give codes to all.
func (h *huffman) hasMeaning(symbol byte) bool { return !h.isDC || symbol <= maxCodeBits }

// meaning is the step to the coefficient of a symbol, and the bits of its value.
func (h *huffman) meaning(symbol byte) (step, size int) {
	if h.isDC {
		if symbol == maxCodeBits {
			return 1, 0 // half of the range, of lossless samples: there is no other value of that size
		}
		return 1, int(symbol)
	}
	run, size := int(symbol>>4), int(symbol&15)
	if size == 0 && run != zeroRunStep-1 {
		return endOfBlock, 0
	}
	return run + 1, size
}

// entryOf is the entry of a symbol whose code is the first n of the bits.
func (h *huffman) entryOf(symbol byte, n int, bits uint64) entry {
	step, size := h.meaning(symbol)
	value := extend(int32(bits<<n>>(64-size)), size)
	if h.isDC && symbol == maxCodeBits {
		value = 1 << 15
	}
	return entry(uint16(value))<<valueShift | entry(step)<<stepShift | entry(n+size)
}

// extend is the value of that many bits: those that begin with 0 are negative.
func extend(v int32, size int) int32 {
	if size > 0 && v < 1<<(size-1) {
		return v - 1<<size + 1
	}
	return v
}

// resolve is the entry of the next bits where the table has none. It is 0 if they are no code.
func (h *huffman) resolve(e entry, bits uint64) entry {
	if n := int(e & lengthMask); n > 0 {
		return h.entryOf(byte(e>>valueShift), n, bits)
	}
	symbol, n := h.longCode(bits)
	if n == 0 || !h.hasMeaning(symbol) {
		return 0
	}
	return h.entryOf(symbol, n, bits)
}

// longCode finds the code at the head of bits. It has 0 bits if there is none.
func (h *huffman) longCode(bits uint64) (symbol byte, n int) {
	head := uint32(bits >> (64 - maxCodeBits))
	for n := 1; n <= maxCodeBits; n++ {
		if head < h.limits[n] {
			return h.symbols[h.offsets[n]+int(head>>(maxCodeBits-n))], n
		}
	}
	return 0, 0
}
