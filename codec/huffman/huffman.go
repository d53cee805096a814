// Package huffman computes how long the codes of an optimal prefix code are. The encoders of
// DEFLATE and VP8L call it. It knows neither their alphabets nor how they write a code.
package huffman

// MaxBits is the maximum length of a code.
const MaxBits = 15

// LengthCounts returns the number of codes of each length in an optimal prefix code of at most
// limit bits. weights holds how often each symbol occurs, rarest first; there are at least two, and
// LengthCounts overwrites them. The rarest symbols get the longest codes.
//
// It builds the tree in place, with the algorithm of Moffat and Katajainen: first sums and parents,
// then depths.
func LengthCounts(weights []uint32, limit int) (counts [MaxBits + 1]int) {
	// Node i joins two earlier leaves or nodes, and overwrites a leaf that has been joined.
	nodes := weights
	joinNodes(nodes)
	for i := len(nodes) - 3; i >= 0; i-- {
		nodes[i] = nodes[nodes[i]] + 1
	}
	countLeaves(&counts, nodes, limit)
	shorten(&counts, limit)
	return counts
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
func countLeaves(counts *[MaxBits + 1]int, nodes []uint32, limit int) {
	available, depth := 1, uint32(0)
	node := len(nodes) - 2
	for available > 0 {
		inner := 0
		for node >= 0 && nodes[node] == depth {
			inner++
			node--
		}
		counts[min(int(depth), limit)] += available - inner
		available = 2 * inner
		depth++
	}
}

// shorten repairs a code whose lengths were cut off at limit. While the codes do not fit, it moves
// a leaf at the limit up, to become the sibling of a leaf that moves down.
func shorten(counts *[MaxBits + 1]int, limit int) {
	used := 0 // in units of 1 << limit
	for length, count := range counts[:limit+1] {
		used += count << (limit - length)
	}
	for ; used > 1<<limit; used-- {
		counts[limit]--
		length := limit - 1
		for counts[length] == 0 {
			length--
		}
		counts[length]--
		counts[length+1] += 2
	}
}
