// Package deflate holds the tables of RFC 1951 that its decoder and its encoder share. The tables
// must not be modified.
package deflate

// The alphabets of RFC 1951, sections 3.2.5 to 3.2.7. Literals share theirs with lengths.
const (
	EndOfBlock  = 256
	FirstLength = 257 // first symbol for a length

	LiteralSymbols  = 286
	LengthSymbols   = LiteralSymbols - FirstLength
	DistanceSymbols = 30
	HeaderSymbols   = 19 // of the code for code lengths

	// The fixed codes have two symbols more in each alphabet, which data must not use.
	FixedLiteralSymbols  = LiteralSymbols + 2
	FixedDistanceSymbols = DistanceSymbols + 2
	FixedDistanceBits    = 5

	MaxCodeBits = 15
)

// Base value and number of extra bits of each symbol for a length or a distance.
var (
	LengthBases = [LengthSymbols]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
		115, 131, 163, 195, 227, 258}
	LengthExtraBits = [LengthSymbols]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5,
		5, 0}
	DistanceBases = [DistanceSymbols]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
		1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	DistanceExtraBits = [DistanceSymbols]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11,
		11, 12, 12, 13, 13}
)

// HeaderOrder is the order of the code lengths of the code for code lengths. Rarely used symbols
// come last.
var HeaderOrder = [HeaderSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// Symbols of the code for code lengths that repeat a length.
const (
	RepeatLength   = 16 // repeats the last length 3 to 6 times
	RepeatZero     = 17 // 3 to 10 times
	RepeatZeroLong = 18 // 11 to 138 times
)

// FixedLiteralBits returns the length of the fixed code of a literal or length.
func FixedLiteralBits(symbol int) uint8 {
	switch {
	case symbol < 144:
		return 8
	case symbol < 256:
		return 9
	case symbol < 280:
		return 7
	}
	return 8
}
