package tier1

import "tileserver/decode/jp2k/wavelet"

// The contexts, in the order of the standard.
const (
	zeroContext      = 0 // the first of 9; they tell whether a coefficient becomes significant
	signContext      = 9 // the first of 5
	magnitudeContext = 14
	runContext       = 17
	uniformContext   = 18

	contextMask = 31 // bounds a context's number
)

// zeroContexts are the significance contexts, by orientation and by the significance bits of the 3
// x 3 coefficients in a word.
var zeroContexts = [4][512]uint8{
	zeroCodingTable(wavelet.LL), zeroCodingTable(wavelet.HL), zeroCodingTable(wavelet.LH), zeroCodingTable(wavelet.HH),
}

func zeroCodingTable(o wavelet.Orientation) (table [512]uint8) {
	for i := range table {
		bit := func(n int) int { return i >> n & 1 }
		horizontal, vertical := bit(3)+bit(5), bit(1)+bit(7)
		diagonal := bit(0) + bit(2) + bit(6) + bit(8)
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

// flippedBit marks the sign contexts whose symbol is inverted.
const flippedBit = 7

// signContexts are the sign contexts, by signIndex.
var signContexts = signCodingTable()

// signIndex collects the state of the four straight neighbors from a word that was shifted to its
// row. The significance bits are the odd bits, each with its sign bit below it.
func signIndex(word uint64) uint64 { return word&0xAA | word>>(signBits+1)&0x55 }

func signCodingTable() (table [256]uint8) {
	for i := range table {
		// contribution is 1 for a positive neighbor and -1 for a negative one.
		contribution := func(bit int) int { return (i >> bit & 1) * (1 - 2*(i>>(bit-1)&1)) }
		horizontal := max(-1, min(1, contribution(3)+contribution(5)))
		vertical := max(-1, min(1, contribution(1)+contribution(7)))
		flip := horizontal < 0 || horizontal == 0 && vertical < 0
		if flip {
			horizontal, vertical = -horizontal, -vertical
			table[i] = 1 << flippedBit
		}
		if horizontal == 0 {
			table[i] |= uint8(signContext + vertical)
		} else {
			table[i] |= uint8(signContext + 3 + vertical)
		}
	}
	return table
}
