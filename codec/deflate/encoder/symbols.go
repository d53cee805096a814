package encoder

import "math/bits"

const (
	endOfBlock  = 256
	firstLength = 257 // first symbol for a length

	literalSymbols  = 286
	lengthSymbols   = literalSymbols - firstLength
	distanceSymbols = 30

	minMatch    = 3
	maxMatch    = 258
	maxDistance = 1 << 15
)

// Base value and number of extra bits of each length and distance symbol.
var (
	lengthBases, lengthExtraBits     = newLengthBases()
	distanceBases, distanceExtraBits = newDistanceBases()
	lengthCodes                      = newLengthCodes()
)

// newLengthBases computes the bases of length symbols. There are eight symbols without extra bits,
// then four for each number of extra bits. The maximum length has its own symbol.
func newLengthBases() (bases [lengthSymbols]uint16, extra [lengthSymbols]uint8) {
	base := uint16(minMatch)
	for i := range lengthSymbols - 1 {
		bases[i], extra[i] = base, uint8(max(i/4-1, 0))
		base += 1 << extra[i]
	}
	bases[lengthSymbols-1] = maxMatch
	return bases, extra
}

// newDistanceBases computes the bases of distance symbols. There are four symbols without extra
// bits, then two for each number of extra bits.
func newDistanceBases() (bases [distanceSymbols]uint16, extra [distanceSymbols]uint8) {
	base := uint16(1)
	for i := range distanceSymbols {
		bases[i], extra[i] = base, uint8(max(i/2-1, 0))
		base += 1 << extra[i]
	}
	return bases, extra
}

// newLengthCodes maps lengths to symbols, minus firstLength.
func newLengthCodes() (codes [maxMatch + 1]uint8) {
	symbol := 0
	for length := minMatch; length <= maxMatch; length++ {
		if symbol+1 < lengthSymbols && length >= int(lengthBases[symbol+1]) {
			symbol++
		}
		codes[length] = uint8(symbol)
	}
	return codes
}

func lengthCodeOf(length uint16) uint8 { return lengthCodes[length] }

// distanceCodeOf returns the symbol of a distance: twice the index of the highest bit of
// distance-1, plus its second highest bit.
func distanceCodeOf(distance uint16) uint8 {
	if distance <= 2 {
		return uint8(distance - 1)
	}
	below := uint(distance - 1)
	n := uint(bits.Len(below)) - 1
	return uint8(2*n + below>>(n-1)&1)
}
