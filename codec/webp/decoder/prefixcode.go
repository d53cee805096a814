package decoder

import "fmt"

// prefixCode is a lookup table for a prefix code. The lowest rootBits bits of the input index its
// first part. For longer codes, the entry there refers to a subtable.
type prefixCode []codeEntry

// codeEntry holds a symbol and, in its lowest byte, the length of its code. A length above rootBits
// marks a reference: the value is the index of a subtable, and the length is that of the longest
// code in it.
type codeEntry uint32

func newCodeEntry(value, length int) codeEntry { return codeEntry(value<<8 | length) }

func (e codeEntry) value() int  { return int(e >> 8) }
func (e codeEntry) length() int { return int(e & 0xff) }

const (
	rootBits      = 8
	maxCodeLength = 15

	// maxCodeEntries bounds the memory for the codes of an image.
	maxCodeEntries = 1 << 22
)

// codeTables holds the tables of all codes of an image.
type codeTables struct {
	entries []codeEntry // all tables, one after the other
	total   int         // entries since the last reset
	sorted  []uint16    // symbols, sorted by code length
}

// reset releases all tables for reuse.
func (t *codeTables) reset() { t.entries, t.total = t.entries[:0], 0 }

// build creates the table of a code from the code lengths of its symbols.
func (t *codeTables) build(lengths []uint8) (prefixCode, error) {
	var counts, starts [maxCodeLength + 2]int
	used, only := 0, 0
	for symbol, n := range lengths {
		if n > 0 {
			counts[n]++
			used, only = used+1, symbol
		}
	}
	if used == 1 {
		return t.single(only)
	}
	left := 1
	for n := 1; n <= maxCodeLength; n++ {
		left = 2*left - counts[n]
		if left < 0 {
			return nil, fmt.Errorf("oversubscribed code: %w", ErrCorrupt)
		}
		starts[n+1] = starts[n] + counts[n]
	}
	if left != 0 {
		return nil, fmt.Errorf("incomplete code: %w", ErrCorrupt)
	}
	t.sorted = cleared(t.sorted, used)
	for symbol, n := range lengths {
		if n > 0 {
			t.sorted[starts[n]] = uint16(symbol)
			starts[n]++
		}
	}
	return t.fill(&counts)
}

// single creates the table of a code with one symbol, which takes no bits.
func (t *codeTables) single(symbol int) (prefixCode, error) {
	table, err := t.allocate(1 << rootBits)
	for i := range table {
		table[i] = newCodeEntry(symbol, 0)
	}
	return table, err
}

// allocate returns n new entries.
func (t *codeTables) allocate(n int) (prefixCode, error) {
	if t.total += n; t.total > maxCodeEntries {
		return nil, fmt.Errorf("too many codes: %w", ErrUnsupported)
	}
	if len(t.entries)+n > cap(t.entries) {
		// Earlier tables keep using the old memory.
		t.entries = make([]codeEntry, 0, max(2*cap(t.entries), 1<<14))
	}
	from := len(t.entries)
	t.entries = t.entries[:from+n]
	return prefixCode(t.entries[from : from+n : from+n]), nil
}

// fill writes each code to all entries that begin with it. Codes are stored highest bit first but
// the tables are indexed from the lowest bit, so each code is reversed.
func (t *codeTables) fill(counts *[maxCodeLength + 2]int) (prefixCode, error) {
	table, err := t.allocate(tableSize(counts))
	if err != nil {
		return nil, err
	}
	code, next, end := 0, 0, 1<<rootBits
	subtable, subtableBits, prefix := 0, 0, -1
	for length := 1; length <= maxCodeLength; length++ {
		for ; counts[length] > 0; counts[length]-- {
			e := newCodeEntry(int(t.sorted[next]), length)
			next++
			reversed := reverse(code, length)
			if length <= rootBits {
				for at := reversed; at < 1<<rootBits; at += 1 << length {
					table[at] = e
				}
			} else {
				if root := reversed & (1<<rootBits - 1); root != prefix {
					prefix, subtable = root, end
					subtableBits = subtableWidth(counts, length)
					end += 1 << subtableBits
					table[root] = newCodeEntry(subtable, rootBits+subtableBits)
				}
				for at := reversed >> rootBits; at < 1<<subtableBits; at += 1 << (length - rootBits) {
					table[subtable+at] = e
				}
			}
			code++
		}
		code <<= 1
	}
	return table, nil
}

// subtableWidth returns the number of bits of a subtable whose shortest code has the given length.
func subtableWidth(counts *[maxCodeLength + 2]int, length int) int {
	left := 1 << (length - rootBits)
	for length < maxCodeLength {
		left -= counts[length]
		if left <= 0 {
			break
		}
		length++
		left <<= 1
	}
	return length - rootBits
}

// tableSize returns the number of entries of the root and all subtables.
func tableSize(counts *[maxCodeLength + 2]int) int {
	rest, size := *counts, 1<<rootBits
	for length := rootBits + 1; length <= maxCodeLength; length++ {
		for rest[length] > 0 {
			n := subtableWidth(&rest, length)
			size += 1 << n
			removeSubtable(&rest, length, n)
		}
	}
	return size
}

// removeSubtable subtracts the codes of one subtable from counts.
func removeSubtable(counts *[maxCodeLength + 2]int, length, subtableBits int) {
	rest := 1 << subtableBits // in codes of maximum length
	for n := length; n <= rootBits+subtableBits; n++ {
		each := 1 << (rootBits + subtableBits - n)
		removed := min(counts[n], rest/each)
		counts[n] -= removed
		rest -= removed * each
	}
}

func reverse(code, length int) int {
	r := 0
	for range length {
		r = r<<1 | code&1
		code >>= 1
	}
	return r
}

// find returns the entry of the code at the start of bits, which must hold at least maxCodeLength
// bits.
func (c prefixCode) find(bits uint64) codeEntry {
	e := c[bits%(1<<rootBits)]
	if e.length() > rootBits {
		e = c[e.value()+int(bits>>rootBits)&(1<<(e.length()-rootBits)-1)]
	}
	return e
}

// symbol reads one symbol.
func (c prefixCode) symbol(r *bitReader) int {
	if r.count < maxCodeLength {
		r.fill()
	}
	e := c.find(r.value)
	r.skip(e.length())
	return e.value()
}
