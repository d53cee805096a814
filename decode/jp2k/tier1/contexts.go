package tier1

import (
	"math/bits"

	"tileserver/decode/jp2k/wavelet"
)

// The contexts, in the order of the standard.
const (
	zeroContext      = 0 // the first of 9; they tell whether a coefficient becomes significant
	firstSignContext = 9 // of 5
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

// A signContext is the context of a sign, and what becomes of its symbol: mark has bit 0 if it is flipped.
// Bit 1 is always set, but not for idleContext, so that the symbol XOR mark tells a value in newValues.
type signContext struct{ context, mark uint8 }

// signContexts are by which of the straight neighbors are negative, and from bit straightBits on by which
// are significant.
var signContexts = signCodingTable()

func signCodingTable() (table [aroundPattern]signContext) {
	for i := range table {
		// contribution is 1 for a positive neighbor and -1 for a negative one.
		contribution := func(of around) int {
			return int(min(around(i)>>straightBits&of, 1)) * (1 - 2*int(min(around(i)&of, 1)))
		}
		horizontal := max(-1, min(1, contribution(west)+contribution(east)))
		vertical := max(-1, min(1, contribution(north)+contribution(south)))
		c := signContext{context: firstSignContext, mark: 2}
		if horizontal < 0 || horizontal == 0 && vertical < 0 {
			horizontal, vertical = -horizontal, -vertical
			c.mark |= 1
		}
		c.context += uint8(3*horizontal + vertical)
		table[i] = c
	}
	return table
}
