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
			table[order.reversed[i]] = a.baseEntry(int(order.symbols[i])).after(length)
		}
		if a.hasPairs {
			addPairs(table, order, length)
		}
	}
	a.addLongCodes(table, order)
	return nil
}

// addPairs adds the pairs of a literal and what follows it, another literal or a length without
// extra bits, whose two codes have length bits together. A pair replaces the entry of its literal.
func addPairs(table []entry, order *canonicalOrder, length int) {
	for firstLength := 1; firstLength < length; firstLength++ {
		secondLength := length - firstLength
		for i := order.begins[firstLength]; i < order.literalEnds[firstLength]; i++ {
			first, firstCode := int(order.symbols[i]), order.reversed[i]
			pair := literalEntry(first).after(length) + oneLiteral
			for j := order.begins[secondLength]; j < order.literalEnds[secondLength]; j++ {
				table[firstCode|order.reversed[j]<<firstLength] = pair | entry(order.symbols[j])<<56
			}
			for j := order.lengthBegins[secondLength]; j < order.shortLengthEnds[secondLength]; j++ {
				short := literalEntry(int(order.symbols[j])).after(length)
				table[firstCode|order.reversed[j]<<firstLength] = short | oneLiteral | entry(first)<<48
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
				table[prefix] = isExceptional | isSubtable | entry(begin)<<32 | entry(depth)<<8 | entry(width)
			}
			codeBits := length - width
			e := a.baseEntry(int(order.symbols[i])).after(codeBits)
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

// codeIndexes holds an index of the order for each length of a code.
type codeIndexes [deflate.MaxCodeBits + 2]int

// canonicalOrder holds the symbols of a code, sorted by code. Among the codes of one length,
// literals precede lengths, and lengths without extra bits precede the others.
type canonicalOrder struct {
	begins          codeIndexes // the first code
	literalEnds     codeIndexes // behind the last literal
	lengthBegins    codeIndexes // the first length
	shortLengthEnds codeIndexes // behind the last length without extra bits
	symbols         [deflate.FixedLiteralSymbols]uint16
	reversed        [deflate.FixedLiteralSymbols]uint16 // codes of the symbols, first bit lowest
}

// sort sorts the symbols that have a code. Like zlib, it accepts complete codes, empty codes, and a
// single code of one bit.
func (o *canonicalOrder) sort(lengths []uint8) error {
	var count [deflate.MaxCodeBits + 1]int
	for _, length := range lengths {
		count[length&deflate.MaxCodeBits]++
	}
	count[0] = 0

	var nextCode codeIndexes
	code, index := 0, 0
	for length := 1; length <= deflate.MaxCodeBits; length++ {
		code <<= 1
		nextCode[length], o.begins[length] = code, index
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
	nextIndex := o.begins
	place := func(from, to int) codeIndexes {
		for symbol := from; symbol < min(to, len(lengths)); symbol++ {
			length := lengths[symbol] & deflate.MaxCodeBits
			if length == 0 {
				continue
			}
			at := nextIndex[length]
			o.symbols[at] = uint16(symbol)
			o.reversed[at] = bits.Reverse16(uint16(nextCode[length])) >> (16 - length)
			nextIndex[length]++
			nextCode[length]++
		}
		return nextIndex
	}
	o.literalEnds = place(0, deflate.EndOfBlock)
	o.lengthBegins = place(deflate.EndOfBlock, deflate.FirstLength)
	o.shortLengthEnds = place(deflate.FirstLength, firstExtraLength)
	place(firstExtraLength, len(lengths))
	return nil
}
