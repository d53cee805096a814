package encoder

// weight holds the count of a symbol above the symbol.
type weight uint32

const symbolBits = 9

// codeLengths computes the code length of each symbol. Symbols that do not occur get length 0.
func codeLengths(lengths []uint8, counts []uint32, maxBits int) {
	var sorted [literalSymbols]weight
	used := 0
	for symbol, count := range counts {
		lengths[symbol] = 0
		if count > 0 {
			sorted[used] = weight(count<<symbolBits) | weight(symbol)
			used++
		}
	}
	if used < 2 {
		// An empty code has no lengths. A single symbol gets one of the two codes of one bit.
		if used == 1 {
			lengths[sorted[0]&(1<<symbolBits-1)] = 1
		}
		return
	}
	sortWeights(sorted[:used])
	perLength := lengthCounts(sorted[:used])
	limit(&perLength, maxBits)
	next := 0
	for length := maxBits; length > 0; length-- { // the rarest symbols have the longest codes
		for range perLength[length] {
			lengths[sorted[next]&(1<<symbolBits-1)] = uint8(length)
			next++
		}
	}
}

// maxInsertionSort is the number of weights up to which insertion sort is faster than radix sort.
const maxInsertionSort = 40

// sortWeights sorts by count, then by symbol. The input is sorted by symbol.
func sortWeights(weights []weight) {
	if len(weights) > maxInsertionSort {
		sortByDigits(weights)
		return
	}
	for i, w := range weights {
		for ; i > 0 && weights[i-1] > w; i-- {
			weights[i] = weights[i-1]
		}
		weights[i] = w
	}
}

func sortByDigits(weights []weight) {
	const digitBits, digits = 9, 1 << 9
	var buffer [literalSymbols]weight
	from, to := weights, buffer[:len(weights)]
	for shift := symbolBits; shift < symbolBits+2*digitBits; shift += digitBits {
		var starts [digits + 1]uint16
		for _, w := range from {
			starts[w>>shift&(digits-1)+1]++
		}
		for i := 1; i < digits; i++ {
			starts[i] += starts[i-1]
		}
		for _, w := range from {
			next := &starts[w>>shift&(digits-1)]
			to[*next] = w
			*next++
		}
		from, to = to, from
	}
}

// maxDepth bounds the depth of a tree. A count has 17 bits, and the counts for a given depth grow
// like Fibonacci numbers.
const maxDepth = 32

// lengthCounts returns the number of codes of each length in the Huffman tree of sorted weights.
// Leaves and inner nodes are both created in increasing order, so the lightest two are at the heads
// of two queues.
func lengthCounts(sorted []weight) (perLength [maxDepth]uint16) {
	n := len(sorted)
	var sums [literalSymbols]uint32    // of inner nodes
	var parents [literalSymbols]uint16 // of inner nodes; later their depths
	var leafParents [literalSymbols]uint16
	leaf, inner := 0, 0
	for node := range n - 1 {
		for range 2 {
			if inner == node || leaf < n && uint32(sorted[leaf]>>symbolBits) <= sums[inner] {
				sums[node] += uint32(sorted[leaf] >> symbolBits)
				leafParents[leaf] = uint16(node)
				leaf++
			} else {
				sums[node] += sums[inner]
				parents[inner] = uint16(node)
				inner++
			}
		}
	}
	depths := &parents
	depths[n-2] = 0
	for node := n - 3; node >= 0; node-- {
		depths[node] = depths[parents[node]] + 1
	}
	for _, parent := range leafParents[:n] {
		perLength[min(depths[parent]+1, maxDepth-1)]++
	}
	return perLength
}

// limit shortens codes that exceed maxBits. The result has too many codes at first. Each iteration
// lengthens the longest code below maxBits by one bit, which makes room for one of the excess
// codes.
func limit(perLength *[maxDepth]uint16, maxBits int) {
	for length := maxBits + 1; length < maxDepth; length++ {
		perLength[maxBits] += perLength[length]
		perLength[length] = 0
	}
	used := 0 // in units of 1 << maxBits
	for length := 1; length <= maxBits; length++ {
		used += int(perLength[length]) << (maxBits - length)
	}
	for ; used > 1<<maxBits; used-- {
		length := maxBits - 1
		for perLength[length] == 0 {
			length--
		}
		perLength[length]--
		perLength[length+1] += 2
		perLength[maxBits]--
	}
}
