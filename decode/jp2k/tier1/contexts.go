package tier1

import (
	"math/bits"

	"tileserver/decode/jp2k/wavelet"
)

// The contexts, in the order of the standard.
const (
	zeroContext      = 0 // the first of 9; they tell whether a coefficient becomes significant
	signContext      = 9 // the first of 5
	magnitudeContext = 14
	runContext       = 17
	uniformContext   = 18

	idleContext = 19 // not of the standard: decodes nothing, without any change

	contextMask = 31 // bounds a context's number
)

// zeroContexts are the significance contexts, by orientation and by which neighbors are significant.
var zeroContexts = [4][aroundPattern]uint8{
	zeroCodingTable(wavelet.LL), zeroCodingTable(wavelet.HL), zeroCodingTable(wavelet.LH), zeroCodingTable(wavelet.HH),
}

func zeroCodingTable(o wavelet.Orientation) (table [aroundPattern]uint8) {
	for i := range table {
		count := func(of around) int { return bits.OnesCount16(uint16(around(i) & of)) }
		horizontal, vertical := count(west|east), count(north|south)
		diagonal := count(northWest | northEast | southWest | southEast)
		switch o {
		case wavelet.HH:
			table[i] = diagonalZeroContext(diagonal, horizontal+vertical)
		case wavelet.HL:
			table[i] = straightZeroContext(vertical, horizontal, diagonal)
		default: // LL and LH
			table[i] = straightZeroContext(horizontal, vertical, diagonal)
		}
	}
	return table
}

// straightZeroContext returns the context for bands whose edges run in one direction. Neighbors in
// that direction count most.
func straightZeroContext(along, across, diagonal int) uint8 {
	switch {
	case along == 2:
		return 8
	case along == 1 && across > 0:
		return 7
	case along == 1 && diagonal > 0:
		return 6
	case along == 1:
		return 5
	case across > 0:
		return uint8(2 + across)
	}
	return uint8(min(diagonal, 2))
}

// diagonalZeroContext returns the context for bands whose edges run along the diagonals.
func diagonalZeroContext(diagonal, straight int) uint8 {
	switch diagonal {
	case 0:
		return uint8(min(straight, 2))
	case 1:
		return uint8(3 + min(straight, 2))
	case 2:
		return uint8(6 + min(straight, 1))
	}
	return 8
}

// The bits that mark sign contexts.
const (
	flippedBit = 6 // the symbol is inverted
	soundBit   = 7 // unlike idleContext
)

// signContexts are the sign contexts, by which of the straight neighbors are significant and which are
// negative. The latter have the bits of the diagonal neighbors, which do not matter.
var signContexts = signCodingTable()

func signCodingTable() (table [aroundPattern]uint8) {
	for i := range table {
		// contribution is 1 for a positive neighbor and -1 for a negative one.
		contribution := func(of around) int {
			return int(min(around(i)&of, 1)) * (1 - 2*int(min(around(i)&(of>>straightBits), 1)))
		}
		horizontal := max(-1, min(1, contribution(west)+contribution(east)))
		vertical := max(-1, min(1, contribution(north)+contribution(south)))
		flip := horizontal < 0 || horizontal == 0 && vertical < 0
		if flip {
			horizontal, vertical = -horizontal, -vertical
			table[i] = 1 << flippedBit
		}
		table[i] |= 1 << soundBit
		if horizontal == 0 {
			table[i] |= uint8(signContext + vertical)
		} else {
			table[i] |= uint8(signContext + 3 + vertical)
		}
	}
	return table
}
