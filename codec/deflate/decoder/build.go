package decoder

import (
	"math/bits"

	"tileserver/codec/deflate"
)

// build fills table for the code with the given lengths.
//
// The first level grows by doubling. When the first 1<<k entries hold the codes of up to k bits, a
// copy of them behind is correct for k+1 bits, except for longer codes.
func (a *alphabet) build(table []entry, order *canonicalOrder, lengths []uint8) error {
	if err := order.sort(lengths); err != nil {
		return err
	}
	table[0] = invalidEntry
	for length := 1; length <= a.tableBits; length++ {
		half := 1 << (length - 1)
		copy(table[half:2*half], table[:half])
		for i := order.begins[length]; i < order.begins[length+1]; i++ {
			table[order.reversed[i]] = a.baseEntry(int(order.symbols[i])) + entry(length)<<8 + entry(length)
		}
		a.addPairs(table, order, length)
	}
	a.addLongCodes(table, order)
	return nil
}

// addPairs adds the pairs of literals whose two codes have length bits together. A pair replaces
// the entry of its first literal.
func (a *alphabet) addPairs(table []entry, order *canonicalOrder, length int) {
	for firstLength := 1; firstLength < length; firstLength++ {
		seconds := order.literals(length-firstLength, a.literals)
		if len(seconds) == 0 {
			continue
		}
		secondCodes := order.reversed[order.begins[length-firstLength]:]
		for i, first := range order.literals(firstLength, a.literals) {
			firstCode := order.reversed[order.begins[firstLength]+i]
			pair := entry(first)<<16 | 2*oneLiteral | entry(firstLength)<<8 | entry(length)
			for j, second := range seconds {
				table[firstCode|secondCodes[j]<<firstLength] = pair | entry(second)<<24
			}
		}
	}
}

// addLongCodes adds the codes that are longer than the index of the first level. Codes with a
// common prefix are neighbors in the order and share a second-level table.
func (a *alphabet) addLongCodes(table []entry, order *canonicalOrder) {
	width := a.tableBits
	end := 1 << width
	prefix, begin, depth := -1, 0, 0
	for length := width + 1; length <= deflate.MaxCodeBits; length++ {
		for i := order.begins[length]; i < order.begins[length+1]; i++ {
			code := int(order.reversed[i])
			if code&(1<<width-1) != prefix {
				prefix = code & (1<<width - 1)
				depth = order.depth(width, length, i)
				begin, end = end, end+1<<depth
				table[prefix] = isExceptional | isSubtable | entry(begin)<<16 | entry(depth)<<8 | entry(width)
			}
			codeBits := length - width
			e := a.baseEntry(int(order.symbols[i])) + entry(codeBits)<<8 + entry(codeBits)
			for at := code >> width; at < 1<<depth; at += 1 << codeBits {
				table[begin+at] = e
			}
		}
	}
}

// depth returns the number of bits by which the longest code of a prefix exceeds width bits. The
// first code with the prefix has length bits and the given index in the order. The code is
// complete, so the prefix ends where its table is full.
func (o *canonicalOrder) depth(width, length, index int) int {
	depth := length - width
	used := o.begins[length+1] - index
	for used < 1<<depth && width+depth < deflate.MaxCodeBits {
		depth++
		used = used<<1 + o.begins[width+depth+1] - o.begins[width+depth]
	}
	return depth
}

// canonicalOrder holds the symbols of a code, sorted by code.
type canonicalOrder struct {
	begins   [deflate.MaxCodeBits + 2]int // index of the first code of each length
	symbols  [deflate.FixedLiteralSymbols]uint16
	reversed [deflate.FixedLiteralSymbols]uint16 // codes of the symbols, first bit lowest
}

// sort sorts the symbols that have a code. Like zlib, it accepts complete codes, empty codes, and a
// single code of one bit.
func (o *canonicalOrder) sort(lengths []uint8) error {
	var count [deflate.MaxCodeBits + 1]int
	for _, length := range lengths {
		count[length&deflate.MaxCodeBits]++
	}
	count[0] = 0

	var nextCode, nextIndex [deflate.MaxCodeBits + 1]int
	code, index := 0, 0
	for length := 1; length <= deflate.MaxCodeBits; length++ {
		code <<= 1
		nextCode[length], nextIndex[length], o.begins[length] = code, index, index
		code += count[length]
		index += count[length]
		if code > 1<<length {
			return ErrCorrupt
		}
	}
	o.begins[deflate.MaxCodeBits+1] = index
	if code != 1<<deflate.MaxCodeBits && index != 0 && !(index == 1 && count[1] == 1) {
		return ErrCorrupt
	}
	for symbol, length := range lengths {
		if length == 0 {
			continue
		}
		at := nextIndex[length]
		o.symbols[at] = uint16(symbol)
		o.reversed[at] = bits.Reverse16(uint16(nextCode[length])) >> (16 - length)
		nextIndex[length]++
		nextCode[length]++
	}
	return nil
}

// literals returns the symbols below limit whose codes have the given length. They precede the
// other symbols of that length.
func (o *canonicalOrder) literals(length, limit int) []uint16 {
	symbols := o.symbols[o.begins[length]:o.begins[length+1]]
	for len(symbols) > 0 && int(symbols[len(symbols)-1]) >= limit {
		symbols = symbols[:len(symbols)-1]
	}
	return symbols
}
