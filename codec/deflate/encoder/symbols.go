package encoder

import (
	"math/bits"

	"tileserver/codec/deflate"
)

const (
	minMatch    = 3
	maxMatch    = 258
	maxDistance = 1 << 15
)

// lengthCodes maps lengths to symbols, minus deflate.FirstLength.
var lengthCodes = newLengthCodes()

func newLengthCodes() (codes [maxMatch + 1]uint8) {
	symbol := 0
	for length := minMatch; length <= maxMatch; length++ {
		if symbol+1 < deflate.LengthSymbols && length >= int(deflate.LengthBases[symbol+1]) {
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
