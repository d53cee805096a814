package deflate

// A weighted symbol of the alphabet: its count above its number.
type weight uint32

const symbolBits = 9

// codeLengths sets how many bits the code of each symbol has, none for those that do not occur.
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
		// A code of nothing would not be one; a lone symbol has one of two codes of one bit.
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

// fewWeights are sorted sooner one by one than by digits.
const fewWeights = 40

// sortWeights sorts by count, then by symbol, with which they come in order.
func sortWeights(weights []weight) {
	if len(weights) > fewWeights {
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
			place := &starts[w>>shift&(digits-1)]
			to[*place] = w
			*place++
		}
		from, to = to, from
	}
}

// longest bounds the depth of a tree: a count has 17 bits, and depths grow as Fibonacci's numbers do.
const longest = 32

// lengthCounts returns how many codes of each length Huffman's tree has for sorted weights. The tree is built in place:
// leaves and inner nodes both come in order, so that the lightest two are at the heads of two queues.
func lengthCounts(sorted []weight) (perLength [longest]uint16) {
	n := len(sorted)
	var sums [literalSymbols]uint32    // of inner nodes
	var parents [literalSymbols]uint16 // of inner nodes, then their depths
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
		perLength[min(depths[parent]+1, longest-1)]++
	}
	return perLength
}

// limit shortens codes that are too long to maxBits. There are too many codes then; each turn makes one of the longest of
// the others one bit longer, and room beside it for one of those too many.
func limit(perLength *[longest]uint16, maxBits int) {
	for length := maxBits + 1; length < longest; length++ {
		perLength[maxBits] += perLength[length]
		perLength[length] = 0
	}
	room := 0 // taken, of 1 << maxBits
	for length := 1; length <= maxBits; length++ {
		room += int(perLength[length]) << (maxBits - length)
	}
	for ; room > 1<<maxBits; room-- {
		length := maxBits - 1
		for perLength[length] == 0 {
			length--
		}
		perLength[length]--
		perLength[length+1] += 2
		perLength[maxBits]--
	}
}
