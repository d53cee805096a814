package lossless

import (
	"math/bits"
	"slices"

	"tileserver/codec/huffman"
	"tileserver/codec/webp/vp8l"
)

const (
	maxAlphabet    = vp8l.Literals + vp8l.LengthPrefixes + 1<<maxCacheBits
	lengthMask     = 0xf
	codeLengthBits = 4
)

// code holds the length of a prefix code in its lowest four bits, and above them the bits of the
// code, first bit lowest.
type code uint32

func makeCode(bits uint32, length uint8) code { return code(bits<<codeLengthBits | uint32(length)) }
func (c code) length() uint                   { return uint(c & lengthMask) }
func (c code) bits() uint32                   { return uint32(c >> codeLengthBits) }

// lengthFinder computes optimal code lengths. It reuses its memory.
type lengthFinder struct {
	sorted []uint64 // count and symbol, rarest first
	counts []uint32 // counts of symbols, rarest first
}

// symbolBits leaves room for any symbol below its count.
const symbolBits = 12

// lengths computes the lengths of an optimal code with at most limit bits. Symbols that do not
// occur get length 0. A single symbol gets length 1.
func (h *lengthFinder) lengths(lengths []uint8, counts []uint32, limit int) {
	clear(lengths)
	h.sorted = h.sorted[:0]
	for symbol, count := range counts {
		if count > 0 {
			h.sorted = append(h.sorted, uint64(count)<<symbolBits|uint64(symbol))
		}
	}
	symbols := len(h.sorted)
	if symbols == 0 {
		return
	}
	if symbols == 1 {
		lengths[h.symbol(0)] = 1
		return
	}
	slices.Sort(h.sorted)
	h.counts = h.counts[:0]
	for _, s := range h.sorted {
		h.counts = append(h.counts, uint32(s>>symbolBits))
	}
	next := symbols
	for length, count := range huffman.LengthCounts(h.counts, limit) {
		for range count {
			next--
			lengths[h.symbol(next)] = uint8(length)
		}
	}
}

func (h *lengthFinder) symbol(i int) int { return int(h.sorted[i] & (1<<symbolBits - 1)) }

// assign computes the canonical codes for the given lengths.
func assign(codes []code, lengths []uint8) {
	var next [huffman.MaxBits + 2]uint32
	for _, length := range lengths {
		next[length+1]++
	}
	next[1] = 0 // symbols without a length have no code
	for length := 2; length < len(next); length++ {
		next[length] = (next[length] + next[length-1]) << 1
	}
	for symbol, length := range lengths {
		codes[symbol] = 0
		if length > 0 {
			codes[symbol] = makeCode(reversed(next[length], length), length)
			next[length]++
		}
	}
}

// reversed returns the bits of a code in the order of the stream.
func reversed(value uint32, length uint8) uint32 { return bits.Reverse32(value) >> (32 - length) }
