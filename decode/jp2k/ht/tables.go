package ht

import "tileserver/decode/jp2k/ht/internal/vlc"

// A quad is a word of 32 bits. From bit 4, it holds rho, e_1 and e_k. The upper half holds u, and at
// last U, the sum of u and the prediction.
const (
	significantBit = 4
	onesBit        = 8
	knownBit       = 12
	upperBit       = 16
	upperHalves    = (1<<upperBit - 1) << upperBit * (1<<32 + 1) // of both quads of a pair
)

// An entry that is looked up for a codeword holds the length of the codeword in the lowest six bits,
// so that it can be a number of bits to shift by. Then come whether u follows and the quad's share of
// the context of the quad on its right. The upper half holds the quad.
const (
	lengthMask = 63
	hasUBit    = 9
	contextBit = 10
	quadBit    = 16
)

// A codeword has up to 7 bits. The context stands above it, so that both form an index. There is one
// more context than in the standard: that of quads without a codeword.
const (
	codewordBits = 7
	codewordMask = 1<<codewordBits - 1
	noCodeword   = 8 << codewordBits
)

type quadLookup [noCodeword + codewordMask + 1]uint32

var (
	firstRowLookup  = newQuadLookup(&vlc.FirstRow, contextInFirstRow)
	otherRowsLookup = newQuadLookup(&vlc.OtherRows, contextFromLeft)
)

func newQuadLookup(codes *[8][]vlc.Code, contextOfNext func(significant uint32) uint32) *quadLookup {
	var lookup quadLookup
	for context, ofContext := range codes {
		for _, code := range ofContext {
			quad := code.Significant()<<significantBit | code.Ones()<<onesBit | code.Known()<<knownBit
			entry := code.Length() | code.HasU()<<hasUBit | contextOfNext(code.Significant())<<contextBit | quad<<quadBit
			for bits := code.Codeword(); bits <= codewordMask; bits += 1 << code.Length() {
				lookup[uint32(context)<<codewordBits|bits] = entry
			}
		}
	}
	return &lookup
}

// contextInFirstRow returns the whole context of the next quad in the first row.
func contextInFirstRow(significant uint32) uint32 { return significant>>1 | significant&1 }

// leftContext is the bit of a quad's context that its left neighbor gives. The other two bits come from
// the row above.
const leftContext = 2

func contextFromLeft(significant uint32) uint32 {
	return (significant>>2 | significant>>3) & 1 * leftContext
}

// contextsFromAbove returns the bits of the contexts of a pair of quads that the row above gives:
// the pair above, the pair before it and the pair after it. They are in place for an index.
func contextsFromAbove(before, at, behind uint64) uint64 {
	const (
		lowerLeft  = 1 << (significantBit + 1) * (1<<32 + 1)
		lowerRight = 1 << (significantBit + 3) * (1<<32 + 1)
	)
	west, east := at<<32|before>>32, at>>32|behind<<32
	return (at&(lowerLeft|lowerRight))<<2 | west&lowerRight | (east&lowerLeft)<<4
}

// The u of both quads of a pair are coded together: both prefixes, then both suffixes. An entry is
// indexed by which quads have a u and by the next bits. The lowest six bits hold the length of all,
// the next byte that of the prefixes. The lower two bytes of the upper word hold the lengths of the
// suffixes. The upper half of each word holds the value of a prefix, at the position of u.
const (
	prefixesBits    = 6
	prefixLengthBit = 8
	suffixLengthBit = 32
)

// The bits above the prefixes say which quads have a u. In the first row of quads, a MEL event says
// whether both are larger than 2.
const (
	firstHasU      = 1 << prefixesBits
	secondHasU     = 2 << prefixesBits
	bothHaveU      = firstHasU | secondHasU
	bothHaveLargeU = 4 << prefixesBits
)

var (
	pairLookup         = newPairLookup()
	firstRowPairLookup = newFirstRowPairLookup()
)

func newPairLookup() *[bothHaveLargeU]uint64 {
	var lookup [bothHaveLargeU]uint64
	for index := range lookup {
		var first, second prefix
		bits := index
		if index&firstHasU != 0 {
			first = prefixOf(bits)
		}
		if index&secondHasU != 0 {
			second = prefixOf(bits >> first.length)
		}
		lookup[index] = pairEntry(first, second)
	}
	return &lookup
}

func newFirstRowPairLookup() *[bothHaveLargeU + 1<<prefixesBits]uint64 {
	var lookup [bothHaveLargeU + 1<<prefixesBits]uint64
	copy(lookup[:], pairLookup[:])
	for bits := range 1 << prefixesBits {
		first := prefixOf(bits)
		second := prefixOf(bits >> first.length)

		// Unless both are larger than 2: if the first one is, a single bit gives the second.
		small := second
		if first.value > 2 {
			small = prefix{length: 1, value: 1 + bits>>first.length&1}
		}
		lookup[bothHaveU|bits] = pairEntry(first, small)

		first.value += 2
		second.value += 2
		lookup[bothHaveLargeU|bits] = pairEntry(first, second)
	}
	return &lookup
}

// prefix is the first part of a coded u.
type prefix struct{ length, suffixLength, value int }

func prefixOf(bits int) prefix {
	switch {
	case bits&1 != 0:
		return prefix{length: 1, value: 1}
	case bits&2 != 0:
		return prefix{length: 2, value: 2}
	case bits&4 != 0:
		return prefix{length: 3, suffixLength: 1, value: 3}
	}
	return prefix{length: 3, suffixLength: 5, value: 5}
}

func pairEntry(first, second prefix) uint64 {
	prefixes := first.length + second.length
	return uint64(prefixes+first.suffixLength+second.suffixLength) | uint64(prefixes)<<prefixLengthBit |
		uint64(first.suffixLength)<<suffixLengthBit | uint64(second.suffixLength)<<(suffixLengthBit+8) |
		uint64(first.value)<<upperBit | uint64(second.value)<<(upperBit+32)
}
