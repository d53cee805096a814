package inflate

import "math/bits"

// build fills table for the code with the given lengths.
//
// The first level grows by doubling: once the codes of up to k bits are in the first 1<<k entries, a copy of these
// entries behind them is right for k+1 bits, but for the codes that are longer.
func (a *alphabet) build(table []entry, order *canonicalOrder, lengths []uint8) error {
	if err := order.sort(lengths); err != nil {
		return err
	}
	table[0] = invalidEntry
	for length := 1; length <= a.tableBits; length++ {
		half := 1 << (length - 1)
		copy(table[half:2*half], table[:half])
		for i := order.begins[length]; i < order.begins[length+1]; i++ {
			table[order.reversed[i]] = a.meaning(int(order.symbols[i])) + entry(length)<<8 + entry(length)
		}
		a.placePairs(table, order, length)
	}
	a.placeLongCodes(table, order)
	return nil
}

// placePairs puts in the pairs of literals whose two codes are length bits together, in place of the first alone.
func (a *alphabet) placePairs(table []entry, order *canonicalOrder, length int) {
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

// placeLongCodes adds the codes longer than the first level is wide. Those that begin alike are neighbours in the order
// and share a second-level table.
func (a *alphabet) placeLongCodes(table []entry, order *canonicalOrder) {
	width := a.tableBits
	end := 1 << width
	prefix, begin, depth := -1, 0, 0
	for length := width + 1; length <= maxCodeBits; length++ {
		for i := order.begins[length]; i < order.begins[length+1]; i++ {
			code := int(order.reversed[i])
			if code&(1<<width-1) != prefix {
				prefix = code & (1<<width - 1)
				depth = order.depth(width, length, i)
				begin, end = end, end+1<<depth
				table[prefix] = isExceptional | isSubtable | entry(begin)<<16 | entry(depth)<<8 | entry(width)
			}
			codeBits := length - width
			e := a.meaning(int(order.symbols[i])) + entry(codeBits)<<8 + entry(codeBits)
			for at := code >> width; at < 1<<depth; at += 1 << codeBits {
				table[begin+at] = e
			}
		}
	}
}

// depth is how many bits the longest code of a prefix of width bits has beyond it, when the first code that begins with
// it has length bits and is the one at place. The code being complete, the prefix ends where its table is full.
func (o *canonicalOrder) depth(width, length, place int) int {
	depth := length - width
	used := o.begins[length+1] - place
	for used < 1<<depth && width+depth < maxCodeBits {
		depth++
		used = used<<1 + o.begins[width+depth+1] - o.begins[width+depth]
	}
	return depth
}

// canonicalOrder holds the symbols of a code sorted by code.
type canonicalOrder struct {
	begins   [maxCodeBits + 2]int // where the codes of each length begin
	symbols  [maxLiteralSymbols]uint16
	reversed [maxLiteralSymbols]uint16 // their codes, first bit lowest
}

// sort orders the symbols that have a code. It accepts what zlib accepts: complete codes, none, and a single code of
// one bit.
func (o *canonicalOrder) sort(lengths []uint8) error {
	var count [maxCodeBits + 1]int
	for _, length := range lengths {
		count[length&maxCodeBits]++
	}
	count[0] = 0

	var nextCode, nextPlace [maxCodeBits + 1]int
	code, place := 0, 0
	for length := 1; length <= maxCodeBits; length++ {
		code <<= 1
		nextCode[length], nextPlace[length], o.begins[length] = code, place, place
		code += count[length]
		place += count[length]
		if code > 1<<length {
			return ErrCorrupt
		}
	}
	o.begins[maxCodeBits+1] = place
	if code != 1<<maxCodeBits && place != 0 && !(place == 1 && count[1] == 1) {
		return ErrCorrupt
	}
	for symbol, length := range lengths {
		if length == 0 {
			continue
		}
		at := nextPlace[length]
		o.symbols[at] = uint16(symbol)
		o.reversed[at] = bits.Reverse16(uint16(nextCode[length])) >> (16 - length)
		nextPlace[length]++
		nextCode[length]++
	}
	return nil
}

// literals is the symbols below limit whose codes have this length. They are the first of it.
func (o *canonicalOrder) literals(length, limit int) []uint16 {
	symbols := o.symbols[o.begins[length]:o.begins[length+1]]
	for len(symbols) > 0 && int(symbols[len(symbols)-1]) >= limit {
		symbols = symbols[:len(symbols)-1]
	}
	return symbols
}
