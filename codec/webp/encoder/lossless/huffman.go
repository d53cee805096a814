package lossless

import (
	"math/bits"
	"slices"
)

const (
	maxCodeLength  = 15
	maxAlphabet    = literals + lengthPrefixes + 1<<maxCacheBits
	lengthMask     = 0xf
	codeLengthBits = 4
)

// code holds the length of a prefix code in its lowest four bits, and above them the bits of the
// code, first bit lowest.
type code uint32

func makeCode(bits uint32, length uint8) code { return code(bits<<codeLengthBits | uint32(length)) }
func (c code) length() uint                   { return uint(c & lengthMask) }
func (c code) bits() uint32                   { return uint32(c >> codeLengthBits) }

// huffman computes optimal code lengths. It reuses its memory.
type huffman struct {
	sorted []uint64 // count and symbol, rarest first
	counts []uint32 // counts of symbols, then parents, then depths
}

// symbolBits leaves room for any symbol below its count.
const symbolBits = 12

// lengths computes the lengths of an optimal code with at most limit bits. Symbols that do not
// occur get length 0. A single symbol gets length 1.
func (h *huffman) lengths(lengths []uint8, counts []uint32, limit int) {
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
	lengthCounts := h.countLengths(limit)
	next := symbols
	for length, count := range lengthCounts {
		for range count {
			next--
			lengths[h.symbol(next)] = uint8(length)
		}
	}
}

func (h *huffman) symbol(i int) int { return int(h.sorted[i] & (1<<symbolBits - 1)) }

// countLengths returns the number of codes of each length. It builds the tree in place from the
// sorted counts, with the algorithm of Moffat and Katajainen: first sums and parents, then depths.
func (h *huffman) countLengths(limit int) (lengthCounts [maxCodeLength + 1]int) {
	symbols := len(h.sorted)
	h.counts = h.counts[:0]
	for _, s := range h.sorted {
		h.counts = append(h.counts, uint32(s>>symbolBits))
	}
	// Node i joins two earlier leaves or nodes, and overwrites a leaf that has been joined.
	nodes := h.counts
	joinNodes(nodes)
	for i := symbols - 3; i >= 0; i-- {
		nodes[i] = nodes[nodes[i]] + 1
	}
	countLeaves(&lengthCounts, nodes, limit)
	shorten(&lengthCounts, limit)
	return lengthCounts
}

// joinNodes replaces sorted counts by the parent indexes of inner nodes. The root is the last but
// one node, and becomes 0.
func joinNodes(nodes []uint32) {
	leaf, node := 0, 0
	n := len(nodes)
	take := func(next int) uint32 {
		if leaf >= n || node < next && nodes[node] < nodes[leaf] {
			sum := nodes[node]
			nodes[node] = uint32(next)
			node++
			return sum
		}
		leaf++
		return nodes[leaf-1]
	}
	for next := range n - 1 {
		sum := take(next)
		nodes[next] = sum + take(next)
	}
	nodes[n-2] = 0
}

// countLeaves counts the leaves at each depth from the depths of the inner nodes, deepest first.
// Depths beyond limit count as limit.
func countLeaves(lengthCounts *[maxCodeLength + 1]int, nodes []uint32, limit int) {
	available, depth := 1, uint32(0)
	node := len(nodes) - 2
	for available > 0 {
		inner := 0
		for node >= 0 && nodes[node] == depth {
			inner++
			node--
		}
		lengthCounts[min(int(depth), limit)] += available - inner
		available = 2 * inner
		depth++
	}
}

// shorten repairs a code whose lengths were cut off at limit. While the codes do not fit, it moves
// a leaf at the limit up, to become the sibling of a leaf that moves down.
func shorten(lengthCounts *[maxCodeLength + 1]int, limit int) {
	used := 0 // in units of 1 << limit
	for length, count := range lengthCounts[:limit+1] {
		used += count << (limit - length)
	}
	for ; used > 1<<limit; used-- {
		lengthCounts[limit]--
		length := limit - 1
		for lengthCounts[length] == 0 {
			length--
		}
		lengthCounts[length]--
		lengthCounts[length+1] += 2
	}
}

// assign computes the canonical codes for the given lengths.
func assign(codes []code, lengths []uint8) {
	var next [maxCodeLength + 2]uint32
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
