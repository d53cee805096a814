package encoder

import "tileserver/codec/deflate"

const (
	maxLengthRepeat = 6
	maxZeroRepeat   = 138
	countBits       = 5 + 5 + 4
)

// header describes the codes of a block. Their lengths are run-length coded and Huffman coded.
type header struct {
	literals, distances int // numbers of described codes
	described           int // number of described codes for code lengths

	symbols [deflate.LiteralSymbols + deflate.DistanceSymbols]lengthSymbol
	used    int
	counts  [deflate.HeaderSymbols]uint32
	codes   [deflate.HeaderSymbols]code
}

// lengthSymbol is a symbol of the code for code lengths, with its extra bits.
type lengthSymbol struct{ symbol, extra uint8 }

// describe prepares the header for codes.
func (h *header) describe(c *codes) {
	var lengths [deflate.LiteralSymbols + deflate.DistanceSymbols]uint8
	h.literals, h.distances = deflate.EndOfBlock+1, 1
	for i := range c.literals {
		if lengths[i] = uint8(c.literals[i].length()); lengths[i] > 0 {
			h.literals = max(h.literals, i+1)
		}
	}
	for i := range c.distances {
		if lengths[h.literals+i] = uint8(c.distances[i].length()); lengths[h.literals+i] > 0 {
			h.distances = i + 1
		}
	}
	h.used, h.counts = 0, [deflate.HeaderSymbols]uint32{}
	h.addRuns(lengths[:h.literals+h.distances])

	var codeBits [deflate.HeaderSymbols]uint8
	codeLengths(codeBits[:], h.counts[:], maxHeaderCodeBits)
	assign(h.codes[:], codeBits[:])
	h.described = deflate.HeaderSymbols
	for h.described > 4 && codeBits[deflate.HeaderOrder[h.described-1]] == 0 {
		h.described--
	}
}

// addRuns converts code lengths to symbols.
func (h *header) addRuns(lengths []uint8) {
	for i := 0; i < len(lengths); {
		length := lengths[i]
		end := i + 1
		for end < len(lengths) && lengths[end] == length {
			end++
		}
		if length > 0 {
			h.add(length, 0)
			i++
		}
		for end-i >= 3 {
			switch n := end - i; {
			case length > 0:
				n = min(n, maxLengthRepeat)
				h.add(deflate.RepeatLength, n-3)
				i += n
			case n <= 10:
				h.add(deflate.RepeatZero, n-3)
				i += n
			default:
				n = min(n, maxZeroRepeat)
				h.add(deflate.RepeatZeroLong, n-11)
				i += n
			}
		}
		for ; i < end; i++ {
			h.add(length, 0)
		}
	}
}

func (h *header) add(symbol uint8, extra int) {
	h.symbols[h.used] = lengthSymbol{symbol, uint8(extra)}
	h.used++
	h.counts[symbol]++
}

func extraBitsOf(symbol uint8) uint {
	switch symbol {
	case deflate.RepeatLength:
		return 2
	case deflate.RepeatZero:
		return 3
	case deflate.RepeatZeroLong:
		return 7
	}
	return 0
}

// bits returns the number of bits that write writes.
func (h *header) bits() int {
	total := countBits + 3*h.described
	for symbol, count := range &h.counts {
		total += int(count) * int(h.codes[symbol].length()+extraBitsOf(uint8(symbol)))
	}
	return total
}

func (h *header) write(o *output) {
	o.put(uint64(h.literals-deflate.FirstLength)|uint64(h.distances-1)<<5|uint64(h.described-4)<<10, countBits)
	for _, symbol := range deflate.HeaderOrder[:h.described] {
		o.put(uint64(h.codes[symbol].length()), 3)
	}
	for _, s := range h.symbols[:h.used] {
		c := h.codes[s.symbol]
		o.put(c.value()|uint64(s.extra)<<c.length(), c.length()+extraBitsOf(s.symbol))
	}
}
