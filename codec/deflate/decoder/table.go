package decoder

import "tileserver/codec/deflate"

// Widths of the first-level tables, in bits. Longer codes continue in second-level tables behind
// the first level.
//
// A prefix whose codes are up to k bits longer has at least k+1 symbols and a second-level table of
// 1<<k entries. The literal table is therefore smaller than 1<<11 + 288/5*16 entries, and the
// distance table smaller than 1<<8 + 32/8*128.
const (
	literalTableBits    = 11
	distanceTableBits   = 8
	codeLengthTableBits = 7

	literalTableSize  = 4096
	distanceTableSize = 1024
)

type (
	literalTable  [literalTableSize]entry
	distanceTable [distanceTableSize]entry
)

// entry describes the meaning of a bit pattern.
//
//	bits 0-5    bits to drop: the code and its extra bits; for a pair of literals, both codes
//	bits 6-7    kind of an exceptional entry, together with bit 15
//	bits 8-11   length of the code alone; for a pair, of the first code; for a second-level table,
//	            its depth
//	bits 12-13  number of literals, 1 or 2; otherwise 0
//	bit 14      exceptional entry: the end of a block, a second-level table, or an invalid code
//	bits 16-31  the literals, the base of the length or distance, or the index of the second-level
//	            table
type entry uint32

const (
	isLiteral     entry = 3 << 12
	oneLiteral    entry = 1 << 12
	isExceptional entry = 1 << 14

	// Kinds of exceptional entries.
	isInvalid  = 1 << 15
	isEndBlock = 1 << 6
	isSubtable = 1 << 7

	invalidEntry = isExceptional | isInvalid
)

func (e entry) dropBits() uint { return uint(e & 63) }
func (e entry) codeBits() uint { return uint(e >> 8 & 15) }
func (e entry) literals() int  { return int(e >> 12 & 3) }
func (e entry) value() uint    { return uint(e >> 16) }

// withExtra returns the base plus the extra bits that follow the code at the bottom of window.
func (e entry) withExtra(window uint64) int {
	return int(e.value()) + int(window&(1<<e.dropBits()-1)>>e.codeBits())
}

// subtable returns the index of the second-level entry. window starts with the bits after the
// first-level ones.
func (e entry) subtable(window uint64) uint {
	return e.value() + uint(window)&(1<<e.codeBits()-1)
}

func literalEntry(symbol int) entry {
	switch {
	case symbol < deflate.EndOfBlock:
		return entry(symbol)<<16 | oneLiteral
	case symbol == deflate.EndOfBlock:
		return isExceptional | isEndBlock
	case symbol < deflate.LiteralSymbols:
		i := symbol - deflate.FirstLength
		return entry(deflate.LengthBases[i])<<16 | entry(deflate.LengthExtraBits[i])
	}
	return invalidEntry
}

func distanceEntry(symbol int) entry {
	if symbol < deflate.DistanceSymbols {
		return entry(deflate.DistanceBases[symbol])<<16 | entry(deflate.DistanceExtraBits[symbol])
	}
	return invalidEntry
}

func codeLengthEntry(symbol int) entry { return entry(symbol) << 16 }

// alphabet is one of the three alphabets of DEFLATE.
type alphabet struct {
	tableBits int // maximum length of codes in the first level
	// Symbols below are literals, which the table may hold in pairs.
	literals  int
	baseEntry func(symbol int) entry // without the bits of the code
}

var (
	literalAlphabet    = alphabet{literalTableBits, deflate.EndOfBlock, literalEntry}
	distanceAlphabet   = alphabet{distanceTableBits, 0, distanceEntry}
	codeLengthAlphabet = alphabet{codeLengthTableBits, 0, codeLengthEntry}
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
