package inflate

// Widths of the first-level tables. Longer codes go on in second-level tables behind them.
//
// A prefix whose codes are up to k bits longer has at least k+1 symbols and a second-level table of 1<<k entries, so the
// literal table ends before 1<<11 + 288/5*16, and the distance table before 1<<8 + 32/8*128.
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

// entry says what a bit pattern means:
//
//	bits 0-5    bits to drop: the code and its extra bits; for a pair of literals, both codes
//	bits 6-7    what an exceptional entry is, with bit 15
//	bits 8-11   bits of the code alone; for a pair, of the first; for a second-level table, its depth in bits
//	bits 12-13  how many literals, 1 or 2; 0 for all else
//	bit 14      set for an exception: the end of a block, a second-level table, or no code at all
//	bits 16-31  the literals, the base of the length or distance, or where the second-level table begins
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

// withExtra is the base and the extra bits that follow the code at the bottom of window.
func (e entry) withExtra(window uint64) int {
	return int(e.value()) + int(window&(1<<e.dropBits()-1)>>e.codeBits())
}

// subtable is the entry in the second level, given the bits after the first-level ones.
func (e entry) subtable(window uint64) uint {
	return e.value() + uint(window)&(1<<e.codeBits()-1)
}

func literalEntry(symbol int) entry {
	switch {
	case symbol < endOfBlock:
		return entry(symbol)<<16 | oneLiteral
	case symbol == endOfBlock:
		return isExceptional | isEndBlock
	case symbol < usedLiteralSymbols:
		i := symbol - endOfBlock - 1
		return entry(lengthBases[i]<<16 | lengthExtraBits[i])
	}
	return invalidEntry
}

func distanceEntry(symbol int) entry {
	if symbol < usedDistances {
		return entry(distanceBases[symbol]<<16 | distanceExtraBits[symbol])
	}
	return invalidEntry
}

func codeLengthEntry(symbol int) entry { return entry(symbol) << 16 }

// alphabet is one of the three that DEFLATE writes codes for.
type alphabet struct {
	tableBits int                    // codes up to this long are found in the first level
	literals  int                    // the symbols below are literals, which the table may hold in pairs
	meaning   func(symbol int) entry // without the bits of the code
}

var (
	literalAlphabet    = alphabet{literalTableBits, endOfBlock, literalEntry}
	distanceAlphabet   = alphabet{distanceTableBits, 0, distanceEntry}
	codeLengthAlphabet = alphabet{codeLengthTableBits, 0, codeLengthEntry}
)

// buildTables makes both tables from the code lengths in d.lengths: first the literals', then the distances'.
func (d *Decoder) buildTables(literals, distances int) error {
	lengths := d.lengths[:literals+distances]
	if err := literalAlphabet.build(d.literals[:], &d.order, lengths[:literals]); err != nil {
		return err
	}
	return distanceAlphabet.build(d.distances[:], &d.order, lengths[literals:])
}
