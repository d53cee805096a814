package encoder

import (
	"tileserver/codec/deflate"
	"tileserver/codec/huffman"
)

// weight holds the count of a symbol above the symbol.
type weight uint32

const symbolBits = 9

// codeLengths computes the code length of each symbol. Symbols that do not occur get length 0.
func codeLengths(lengths []uint8, counts []uint32, maxBits int) {
	var sorted [deflate.LiteralSymbols]weight
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
	var weights [deflate.LiteralSymbols]uint32
	for i, w := range sorted[:used] {
		weights[i] = uint32(w >> symbolBits)
	}
	perLength := huffman.LengthCounts(weights[:used], maxBits)
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
	var buffer [deflate.LiteralSymbols]weight
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
