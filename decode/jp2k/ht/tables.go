package ht

import "tileserver/decode/jp2k/ht/internal/vlc"

// What is known of a quad is a word of 32 bits: from the lowest, the length of its codeword, whether u follows, rho, e_1, e_k,
// and in the upper half, while codewords are looked up, what it adds to the context of the quad on its right; later u, and
// then U, which is u and what neighbours foretell.
const (
	lengthMask     = 7
	moreBit        = 3
	significantBit = 4
	onesBit        = 8
	knownBit       = 12
	upperBit       = 16
	lowerMask      = 1<<upperBit - 1
)

// A codeword has up to 7 bits. A context stands above them, so that both are an index together.
const (
	contextBit   = 7
	codewordMask = 1<<contextBit - 1
	lookupMask   = 1<<(contextBit+3) - 1
)

type quadLookup [lookupMask + 1]uint32

var (
	firstRowLookup  = newQuadLookup(&vlc.FirstRow, contextInFirstRow)
	otherRowsLookup = newQuadLookup(&vlc.OtherRows, contextFromLeft)
)

func newQuadLookup(codes *[8][]vlc.Code, contextOfNext func(significant uint32) uint32) *quadLookup {
	var lookup quadLookup
	for context, ofContext := range codes {
		for _, code := range ofContext {
			entry := code.Length() | code.More()<<moreBit | code.Significant()<<significantBit | code.Ones()<<onesBit |
				code.Known()<<knownBit | contextOfNext(code.Significant())<<(contextBit+upperBit)
			for bits := code.Codeword(); bits <= codewordMask; bits += 1 << code.Length() {
				lookup[uint32(context)<<contextBit|bits] = entry
			}
		}
	}
	return &lookup
}

// contextInFirstRow is all of the context there.
func contextInFirstRow(significant uint32) uint32 { return significant>>1 | significant&1 }

// contextFromLeft is the bit of the context that the quad on the left gives. The other two come from above.
func contextFromLeft(significant uint32) uint32 { return (significant>>2 | significant>>3) & 1 << 1 }

// contextsFromAbove are the bits of the contexts of a pair of quads that the row above gives: of the pair there, of the one
// before and the one behind that.
func contextsFromAbove(before, at, behind uint64) uint64 {
	const (
		lowerLeft  = 1 << (significantBit + 1) * (1<<32 + 1)
		lowerRight = 1 << (significantBit + 3) * (1<<32 + 1)
	)
	west, east := at<<32|before>>32, at>>32|behind<<32
	return (at&(lowerLeft|lowerRight))<<2 | west&lowerRight | (east&lowerLeft)<<4
}

// The two u of a pair of quads are coded together: both prefixes, then both suffixes. An entry tells, by which of the quads have
// one and by the next bits, from the lowest: the length of the prefixes, of each suffix, and in the upper half of each word, where
// they stay, what the prefixes are worth.
const (
	firstSuffixBit  = 3
	secondSuffixBit = 6
	suffixMask      = 7
	prefixesBits    = 6
	worthMask       = lowerMask<<upperBit | lowerMask<<(upperBit+32)
)

// Whether the first, and whether the second quad has a u, comes above the prefixes. In the first row of quads an event of MEL
// tells whether both are larger than 2.
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

		// Not both are larger than 2, so that where the first is, one bit tells the second.
		small := second
		if first.worth > 2 {
			small = prefix{length: 1, worth: 1 + bits>>first.length&1}
		}
		lookup[bothHaveU|bits] = pairEntry(first, small)

		first.worth += 2
		second.worth += 2
		lookup[bothHaveLargeU|bits] = pairEntry(first, second)
	}
	return &lookup
}

// prefix is the beginning of a coded u.
type prefix struct{ length, suffixLength, worth int }

func prefixOf(bits int) prefix {
	switch {
	case bits&1 != 0:
		return prefix{length: 1, worth: 1}
	case bits&2 != 0:
		return prefix{length: 2, worth: 2}
	case bits&4 != 0:
		return prefix{length: 3, suffixLength: 1, worth: 3}
	}
	return prefix{length: 3, suffixLength: 5, worth: 5}
}

func pairEntry(first, second prefix) uint64 {
	return uint64(first.length+second.length) |
		uint64(first.suffixLength)<<firstSuffixBit | uint64(second.suffixLength)<<secondSuffixBit |
		uint64(first.worth)<<upperBit | uint64(second.worth)<<(upperBit+32)
}
