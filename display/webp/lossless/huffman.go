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

// A code is what stands for a symbol: its length in the lowest four bits, and above these its bits, the first lowest.
type code uint32

func makeCode(bits uint32, length uint8) code { return code(bits<<codeLengthBits | uint32(length)) }
func (c code) length() uint                   { return uint(c & lengthMask) }
func (c code) bits() uint32                   { return uint32(c >> codeLengthBits) }

// huffman makes codes of how often symbols occur. It keeps its memory from one code to the next.
type huffman struct {
	sorted []uint64 // count and symbol, rarest first
	counts []uint32 // of symbols, then parents, then depths
}

// symbolBits leave room for any symbol below its count.
const symbolBits = 12

// lengths writes the lengths of an optimal code of at most limit bits; 0 for symbols that do not occur. A symbol that is
// alone has the length 1.
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
	ofLength := h.countLengths(limit)
	next := symbols
	for length, count := range ofLength {
		for range count {
			next--
			lengths[h.symbol(next)] = uint8(length)
		}
	}
}

func (h *huffman) symbol(i int) int { return int(h.sorted[i] & (1<<symbolBits - 1)) }

// countLengths says how many symbols get a code of each length. It builds the tree in place, from the leaves sorted by
// count, as Moffat and Katajainen describe: first sums and parents, then depths.
func (h *huffman) countLengths(limit int) (ofLength [maxCodeLength + 1]int) {
	symbols := len(h.sorted)
	h.counts = h.counts[:0]
	for _, s := range h.sorted {
		h.counts = append(h.counts, uint32(s>>symbolBits))
	}
	nodes := h.counts // node i joins two of the leaves and nodes before it; it overwrites a leaf that is in the tree
	joinNodes(nodes)
	for i := symbols - 3; i >= 0; i-- {
		nodes[i] = nodes[nodes[i]] + 1
	}
	countLeaves(&ofLength, nodes, limit)
	shorten(&ofLength, limit)
	return ofLength
}

// joinNodes replaces sorted counts by the places of the parents of inner nodes; the root is the last but one, with 0.
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

// countLeaves counts the leaves at each depth from the depths of inner nodes, deepest first; those too deep count as at
// the limit.
func countLeaves(ofLength *[maxCodeLength + 1]int, nodes []uint32, limit int) {
	available, depth := 1, uint32(0)
	node := len(nodes) - 2
	for available > 0 {
		inner := 0
		for node >= 0 && nodes[node] == depth {
			inner++
			node--
		}
		ofLength[min(int(depth), limit)] += available - inner
		available = 2 * inner
		depth++
	}
}

// shorten makes room where leaves were put less deep than their tree has them: as long as the codes do not fit, a leaf of
// the limit moves up to become the brother of one that moves down.
func shorten(ofLength *[maxCodeLength + 1]int, limit int) {
	used := 0 // of 1 << limit
	for length, count := range ofLength[:limit+1] {
		used += count << (limit - length)
	}
	for ; used > 1<<limit; used-- {
		ofLength[limit]--
		length := limit - 1
		for ofLength[length] == 0 {
			length--
		}
		ofLength[length]--
		ofLength[length+1] += 2
	}
}

// assign writes the canonical codes of the given lengths.
func assign(codes []code, lengths []uint8) {
	var next [maxCodeLength + 2]uint32
	for _, length := range lengths {
		next[length+1]++
	}
	next[1] = 0 // what has no length takes no code
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

// reversed returns the lowest bits of a code in the order in which the stream holds them.
func reversed(value uint32, length uint8) uint32 { return bits.Reverse32(value) >> (32 - length) }
