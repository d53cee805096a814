package webp

import "fmt"

// prefixCode finds the symbol at the beginning of a row of bits: in the first part of its table by the lowest rootBits of
// them, and for longer codes in another part, which the entry found there leads to.
type prefixCode []codeEntry

// codeEntry is a symbol and, in its lowest byte, the length of its code; or, if that is more than rootBits, where the part
// for the codes is that begin so, and the length of the longest of them.
type codeEntry uint32

func newCodeEntry(value, length int) codeEntry { return codeEntry(value<<8 | length) }

func (e codeEntry) value() int  { return int(e >> 8) }
func (e codeEntry) length() int { return int(e & 0xff) }

const (
	rootBits      = 8
	maxCodeLength = 15

	// maxCodeEntries bounds what all codes of an image take.
	maxCodeEntries = 1 << 22
)

// codeTables holds the tables of all codes of an image.
type codeTables struct {
	entries []codeEntry // tables follow each other in it
	total   int         // entries since the last reset
	sorted  []uint16    // symbols by the length of their code
}

// reset makes the memory of all tables free for others.
func (t *codeTables) reset() { t.entries, t.total = t.entries[:0], 0 }

// build makes the table of a code from the lengths for its symbols.
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
			return nil, fmt.Errorf("more codes than fit: %w", ErrCorrupt)
		}
		starts[n+1] = starts[n] + counts[n]
	}
	if left != 0 {
		return nil, fmt.Errorf("a code with gaps: %w", ErrCorrupt)
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

// single is the code of an only symbol, which takes no bits.
func (t *codeTables) single(symbol int) (prefixCode, error) {
	table, err := t.take(1 << rootBits)
	for i := range table {
		table[i] = newCodeEntry(symbol, 0)
	}
	return table, err
}

// take extends the tables.
func (t *codeTables) take(n int) (prefixCode, error) {
	if t.total += n; t.total > maxCodeEntries {
		return nil, fmt.Errorf("too many codes: %w", ErrUnsupported)
	}
	if len(t.entries)+n > cap(t.entries) {
		// The tables made so far stay where they are.
		t.entries = make([]codeEntry, 0, max(2*cap(t.entries), 1<<14))
	}
	from := len(t.entries)
	t.entries = t.entries[:from+n]
	return prefixCode(t.entries[from : from+n : from+n]), nil
}

// fill writes the codes in their order, each to all places that begin with it. The bits of a code come highest first, and
// places count from the lowest bit, so codes go up from their other end.
func (t *codeTables) fill(counts *[maxCodeLength + 2]int) (prefixCode, error) {
	table, err := t.take(tableSize(counts))
	if err != nil {
		return nil, err
	}
	code, next, end := 0, 0, 1<<rootBits
	part, partBits, prefix := 0, 0, -1
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
					prefix, part = root, end
					partBits = bitsOfPart(counts, length)
					end += 1 << partBits
					table[root] = newCodeEntry(part, rootBits+partBits)
				}
				for at := reversed >> rootBits; at < 1<<partBits; at += 1 << (length - rootBits) {
					table[part+at] = e
				}
			}
			code++
		}
		code <<= 1
	}
	return table, nil
}

// bitsOfPart is how many bits the codes of a part have beyond the root, when the next of them is of the given length.
func bitsOfPart(counts *[maxCodeLength + 2]int, length int) int {
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

// tableSize is that of the root and all parts.
func tableSize(counts *[maxCodeLength + 2]int) int {
	rest, size := *counts, 1<<rootBits
	for length := rootBits + 1; length <= maxCodeLength; length++ {
		for rest[length] > 0 {
			n := bitsOfPart(&rest, length)
			size += 1 << n
			dropPart(&rest, length, n)
		}
	}
	return size
}

// dropPart takes the codes of a part away.
func dropPart(counts *[maxCodeLength + 2]int, length, partBits int) {
	room := 1 << partBits // in codes of the longest
	for n := length; n <= rootBits+partBits; n++ {
		each := 1 << (rootBits + partBits - n)
		taken := min(counts[n], room/each)
		counts[n] -= taken
		room -= taken * each
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

// find is the symbol at the beginning of bits, of which there must be maxCodeLength.
func (c prefixCode) find(bits uint64) codeEntry {
	e := c[bits%(1<<rootBits)]
	if e.length() > rootBits {
		e = c[e.value()+int(bits>>rootBits)&(1<<(e.length()-rootBits)-1)]
	}
	return e
}

// symbol reads one.
func (c prefixCode) symbol(r *bitReader) int {
	if r.count < maxCodeLength {
		r.fill()
	}
	e := c.find(r.value)
	r.take(e.length())
	return e.value()
}
