package decoder

import "tileserver/codec/deflate"

// Widths of the first-level tables, in bits. Longer codes continue in second-level tables behind
// the first level.
//
// A prefix whose codes are up to k bits longer has at least k+1 symbols and a second-level table of
// 1<<k entries. The literal table is therefore smaller than 1<<11 + 288/5*16 entries, and the
// distance table smaller than 1<<11 + 32/5*16.
const (
	tableBits           = 11 // of literals and lengths, and of distances
	codeLengthTableBits = 7

	tableSize = 4096
)

type table [tableSize]entry

// entry describes the meaning of a bit pattern: one or two literals, a length, a literal and the
// length behind it, or a distance. Fields that do not apply are zero, so that one piece of code can
// apply all of them to any entry.
//
//	bits 0-5    bits to drop: all codes and the extra bits
//	bits 6-7    kind of an exceptional entry; neither is set for an invalid code
//	bits 8-11   bits before the extra bits; for a second-level table, its depth
//	bit 14      exceptional entry: the end of a block, a second-level table, or an invalid code
//	bit 15      length; a distance follows
//	bits 16-17  number of literals
//	bit 24      length that may be above shortMatchBytes
//	bits 32-47  base of the length or distance, or index of the second-level table
//	bits 48-55  first literal
//	bits 56-63  second literal; for a length, ones
type entry uint64

const (
	isExceptional entry = 1 << 14
	isLength      entry = 1 << 15
	oneLiteral    entry = 1 << 16
	isLiteral     entry = 3 << 16
	isLongLength  entry = 1 << 24
	lengthOnes    entry = 0xff << 56

	// Kinds of exceptional entries.
	isEndBlock = 1 << 6
	isSubtable = 1 << 7

	invalidEntry = isExceptional

	// shortMatchBytes is how much each step in assembly copies. Copies of 32 bytes would read more of
	// what was written just before, by several steps, for which a processor waits.
	shortMatchBytes  = 16
	firstExtraLength = deflate.FirstLength + 8 // first symbol for a length with extra bits
)

func (e entry) dropBits() uint { return uint(e & 63) }
func (e entry) codeBits() uint { return uint(e >> 8 & 15) }
func (e entry) literals() int  { return int(e >> 16 & 3) }
func (e entry) text() uint16   { return uint16(e >> 48) } // the literals, the first one lowest
func (e entry) value() uint    { return uint(e >> 32 & 0xffff) }

// withExtra returns the base plus the extra bits that follow the code at the bottom of window.
func (e entry) withExtra(window uint64) int {
	return int(e.value()) + int(window&(1<<e.dropBits()-1)>>e.codeBits())
}

// subtable returns the index of the second-level entry. window starts with the bits after the
// first-level ones.
func (e entry) subtable(window uint64) uint {
	return e.value() + uint(window)&(1<<e.codeBits()-1)
}

// after returns the entry for a code of the given length, of which e is the entry without it.
func (e entry) after(codeBits int) entry { return e + entry(codeBits)<<8 + entry(codeBits) }

func literalEntry(symbol int) entry {
	switch {
	case symbol < deflate.EndOfBlock:
		return entry(symbol)<<48 | oneLiteral
	case symbol == deflate.EndOfBlock:
		return isExceptional | isEndBlock
	case symbol < deflate.LiteralSymbols:
		return lengthEntry(symbol - deflate.FirstLength)
	}
	return invalidEntry
}

func lengthEntry(i int) entry {
	base, extraBits := entry(deflate.LengthBases[i]), entry(deflate.LengthExtraBits[i])
	e := base<<32 | lengthOnes | isLength | extraBits
	if base+1<<extraBits-1 > shortMatchBytes {
		e |= isLongLength
	}
	return e
}

func distanceEntry(symbol int) entry {
	if symbol < deflate.DistanceSymbols {
		return entry(deflate.DistanceBases[symbol])<<32 | entry(deflate.DistanceExtraBits[symbol])
	}
	return invalidEntry
}

func codeLengthEntry(symbol int) entry { return entry(symbol) << 32 }

// alphabet is one of the three alphabets of DEFLATE.
type alphabet struct {
	tableBits int                    // maximum length of codes in the first level
	hasPairs  bool                   // of literals, and of a literal and a length
	baseEntry func(symbol int) entry // without the bits of the code
}

var (
	literalAlphabet    = alphabet{tableBits, true, literalEntry}
	distanceAlphabet   = alphabet{tableBits, false, distanceEntry}
	codeLengthAlphabet = alphabet{codeLengthTableBits, false, codeLengthEntry}
)

// buildTables builds both tables from d.lengths, which holds the lengths of the literal code and
// then those of the distance code.
func (d *Decoder) buildTables(literals, distances int) error {
	lengths := d.lengths[:literals+distances]
	if err := literalAlphabet.build(d.literals[:], &d.order, lengths[:literals]); err != nil {
		return err
	}
	return distanceAlphabet.build(d.distances[:], &d.order, lengths[literals:])
}
