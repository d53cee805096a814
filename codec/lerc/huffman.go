package lerc

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

const (
	maxSymbols   = 256
	maxCodeBits  = 32
	lookupBits   = 12
	lookupShift  = 64 - lookupBits
	pairsFrom    = 1 << 13 // from this number of symbols on, building a table of pairs pays off
	canonicalMin = 2       // oldest layout of a code table
)

// huffman is a prefix code for bytes.
//
// The table is indexed by the next lookupBits bits. An entry holds one symbol, or two whose codes
// fit together. Longer codes are sorted and found by binary search.
type huffman struct {
	table   [1 << lookupBits]entry
	long    []longCode
	longs   [maxSymbols]longCode
	lengths [maxSymbols]uint8
	symbols [maxSymbols]uint8 // symbol of each stored length, in stored order
}

// entry holds the first symbol in bits 0 to 7, the second in bits 8 to 15, the length of all codes
// in bits 16 to 20, the length of the first code in bits 21 to 25, and the number of symbols from
// bit 30 on. The number is 0 if the code is longer or invalid.
type entry uint32

func (e entry) count() int       { return int(e >> 30) }
func (e entry) totalBits() uint  { return uint(e >> 16 & 31) }
func (e entry) firstBits() uint  { return uint(e >> 21 & 31) }
func (e entry) firstOnly() entry { return e&0xff | entry(e.firstBits())*(1<<16|1<<21) | 1<<30 }

// longCode is a code longer than lookupBits, aligned to the highest bit.
type longCode struct {
	aligned uint32
	length  uint8
	symbol  uint8
}

// read reads a code table for decoding count symbols. Decoded symbols are the stored ones minus
// bias.
func (h *huffman) read(d *Decoder, in *reader, version, count int, bias uint8) error {
	layout, size, begin, end := in.int32(), in.int32(), in.int32(), in.int32()
	if in.failed {
		return ErrTruncated
	}
	if layout < canonicalMin || size < 1 || size > maxSymbols || begin < 0 || begin >= size || end <= begin || end-begin > size {
		return fmt.Errorf("code table %d: %d symbols, %d to %d: %w", layout, size, begin, end, ErrCorrupt)
	}
	lengths, err := d.readQuanta(in, end-begin, version)
	if err != nil {
		return fmt.Errorf("code lengths: %w", err)
	}
	totalBits := 0
	for i, length := range lengths {
		if length > maxCodeBits {
			return fmt.Errorf("code of %d bits: %w", length, ErrCorrupt)
		}
		totalBits += int(length)
		h.lengths[i] = uint8(length)
		h.symbols[i] = uint8((begin+i)%size) - bias
	}
	codes, err := in.take((totalBits + 31) / 32 * 4)
	if err != nil {
		return fmt.Errorf("codes: %w", err)
	}
	return h.build(stuffedWords{src: codes}, len(lengths), count >= pairsFrom)
}

// build fills the tables. Codes are stored explicitly and may clash; build rejects a code that is a
// prefix of another one.
func (h *huffman) build(codes stuffedWords, symbols int, pairs bool) error {
	clear(h.table[:])
	h.long = h.longs[:0]
	for i := range symbols {
		length := uint(h.lengths[i])
		if length == 0 {
			continue
		}
		aligned := codes.next(length) << (maxCodeBits - length)
		if length > lookupBits {
			h.long = append(h.long, longCode{aligned, uint8(length), h.symbols[i]})
			continue
		}
		from := aligned >> (maxCodeBits - lookupBits)
		for at := from; at < from+1<<(lookupBits-length); at++ {
			if h.table[at] != 0 {
				return fmt.Errorf("overlapping codes: %w", ErrCorrupt)
			}
			h.table[at] = entry(h.symbols[i]) | entry(length)*(1<<16|1<<21) | 1<<30
		}
	}
	if err := h.sortLong(); err != nil {
		return err
	}
	if pairs {
		h.addPairs()
	}
	return nil
}

func (h *huffman) sortLong() error {
	slices.SortFunc(h.long, func(a, b longCode) int { return cmp.Compare(a.aligned, b.aligned) })
	for i, code := range h.long {
		clashes := h.table[code.aligned>>(maxCodeBits-lookupBits)] != 0
		if i > 0 {
			before := h.long[i-1]
			clashes = clashes || (before.aligned^code.aligned)>>(maxCodeBits-before.length) == 0
		}
		if clashes {
			return fmt.Errorf("overlapping codes: %w", ErrCorrupt)
		}
	}
	return nil
}

// addPairs adds second symbols to the entries with enough bits left. The first symbol of an
// extended entry remains readable, so the order does not matter.
func (h *huffman) addPairs() {
	for at, e := range h.table[:] {
		if e == 0 {
			continue
		}
		second := h.table[at<<e.firstBits()&(1<<lookupBits-1)]
		if second != 0 && e.firstBits()+second.firstBits() <= lookupBits {
			h.table[at] = e.firstOnly()&^(31<<16|3<<30) | second&0xff<<8 |
				entry(e.firstBits()+second.firstBits())<<16 | 2<<30
		}
	}
}

// bitWords is a bit position in little-endian 32-bit words. The first bit of each word is the
// highest.
type bitWords struct {
	src []byte
	bit int
}

// peek returns the next 32 bits, highest first, with zeros beyond the end.
func (w *bitWords) peek() uint32 {
	at := w.bit >> 5 * 4
	var words [8]byte
	if at < len(w.src) {
		copy(words[:], w.src[at:])
	}
	return uint32(bits.RotateLeft64(binary.LittleEndian.Uint64(words[:]), 32) << (w.bit & 31) >> 32)
}

// decode fills dst with symbols.
func (h *huffman) decode(dst []byte, w *bitWords) error {
	end := len(w.src) / 4 * 32
	for len(dst) > 0 {
		n := h.decodeFast(dst, w)
		if dst = dst[n:]; len(dst) == 0 {
			return nil
		}
		symbol, length, ok := h.decodeOne(w.peek())
		switch {
		case w.bit+length > end, !ok && w.bit+maxCodeBits > end:
			return fmt.Errorf("codes: %w", ErrTruncated)
		case !ok:
			return fmt.Errorf("invalid code: %w", ErrCorrupt)
		}
		w.bit += length
		dst[0] = symbol
		dst = dst[1:]
	}
	return nil
}

// decodeFast decodes symbols from the table while bits and room for four symbols remain, and stops
// at a code that is longer than the table's index. It returns the number of symbols. A load has at
// least 33 usable bits, and two entries take at most 24.
func (h *huffman) decodeFast(dst []byte, w *bitWords) (n int) {
	src, bit := w.src, w.bit
	for n+4 <= len(dst) {
		at := bit >> 5 * 4
		if at+8 > len(src) {
			break
		}
		window := bits.RotateLeft64(binary.LittleEndian.Uint64(src[at:]), 32) << (bit & 31)
		e := h.table[window>>lookupShift]
		binary.LittleEndian.PutUint16(dst[n:], uint16(e))
		n += e.count()
		bit += int(e.totalBits())
		second := h.table[window<<e.totalBits()>>lookupShift]
		if e == 0 || second == 0 {
			break
		}
		binary.LittleEndian.PutUint16(dst[n:], uint16(second))
		n += second.count()
		bit += int(second.totalBits())
	}
	w.bit = bit
	return n
}

// decodeOne returns the symbol whose code window begins with, and the length of the code.
func (h *huffman) decodeOne(window uint32) (symbol uint8, length int, ok bool) {
	if e := h.table[window>>(maxCodeBits-lookupBits)]; e != 0 {
		return uint8(e), int(e.firstBits()), true
	}
	after, found := slices.BinarySearchFunc(h.long, window, func(code longCode, window uint32) int {
		return cmp.Compare(code.aligned, window)
	})
	if found {
		after++
	}
	if after == 0 {
		return 0, 0, false
	}
	code := h.long[after-1]
	return code.symbol, int(code.length), (window^code.aligned)>>(maxCodeBits-code.length) == 0
}
