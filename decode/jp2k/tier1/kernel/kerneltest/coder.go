package kerneltest

import "math/bits"

// codeword is where an invocation is in its codeword, which it reads 16 bits at a time. The arithmetic
// decoder compares the upper 16 bits of interval and code. A few bits of code below these were read ahead.
type codeword struct {
	segment  uint32 // how many codewords have begun
	until    uint32 // the number of the first pass after the codeword
	position uint32 // of the next 16 bits in the input of the block
	end      uint32 // of the codeword
	isRaw    bool

	interval, code, ahead uint32
}

const half = 1 << 31 // the minimum of an interval

// beginCodeword begins the next codeword. The input says of each how many passes end with it, and how many
// words it has.
func (v *invocation) beginCodeword() {
	if v.segment == 0 {
		v.end = 4 * v.block.Segments
	}
	header := v.block.Input + 2*v.segment
	v.segment++
	v.until = v.Input[header]
	v.position = v.end
	v.end += 2 * v.Input[header+1]
	v.interval, v.code, v.ahead = half, 0, 0
	v.drop(15 + one(v.isRaw))
}

// drop goes on in the code by up to 16 bits.
func (v *invocation) drop(count uint32) {
	if count >= v.ahead {
		v.code = v.code<<v.ahead | v.next16()
		count -= v.ahead
		v.ahead = 16
	}
	v.code <<= count
	v.ahead -= count
}

// next16 returns the next 16 bits of the codeword. Ones follow its end.
func (v *invocation) next16() uint32 {
	at := v.position
	v.position++
	if at >= v.end {
		return 0xFFFF
	}
	bytes := v.Input[v.block.Input+at/2] >> (16 * (at % 2))
	return bytes&0xFF<<8 | bytes>>8&0xFF
}

// The contexts.
const (
	signContext      = 9
	magnitudeContext = 14
	runContext       = 17
	uniformContext   = 18
	contextCount     = 19

	contextMask = 31
	flippedBit  = 7 // marks a sign context whose symbol is inverted
)

// A state of a context is the width of the interval of the less probable symbol (LPS) in the upper 16 bits,
// the numbers of the states that follow the more probable symbol (MPS) and the LPS, and the MPS. Its number
// is twice the row of the standard's table, and the MPS.
const (
	afterMPS  = 9 // the position of seven bits
	afterLPS  = 2
	stateMask = 127
)

var states = makeStates()

// estimates is the standard's table of probabilities: the width of the LPS, the rows that follow the MPS and
// the LPS, and whether an LPS switches the MPS.
var estimates = [47][4]uint32{
	{0x5601, 1, 1, 1}, {0x3401, 2, 6, 0}, {0x1801, 3, 9, 0}, {0x0AC1, 4, 12, 0},
	{0x0521, 5, 29, 0}, {0x0221, 38, 33, 0}, {0x5601, 7, 6, 1}, {0x5401, 8, 14, 0},
	{0x4801, 9, 14, 0}, {0x3801, 10, 14, 0}, {0x3001, 11, 17, 0}, {0x2401, 12, 18, 0},
	{0x1C01, 13, 20, 0}, {0x1601, 29, 21, 0}, {0x5601, 15, 14, 1}, {0x5401, 16, 14, 0},
	{0x5101, 17, 15, 0}, {0x4801, 18, 16, 0}, {0x3801, 19, 17, 0}, {0x3401, 20, 18, 0},
	{0x3001, 21, 19, 0}, {0x2801, 22, 19, 0}, {0x2401, 23, 20, 0}, {0x2201, 24, 21, 0},
	{0x1C01, 25, 22, 0}, {0x1801, 26, 23, 0}, {0x1601, 27, 24, 0}, {0x1401, 28, 25, 0},
	{0x1201, 29, 26, 0}, {0x1101, 30, 27, 0}, {0x0AC1, 31, 28, 0}, {0x09C1, 32, 29, 0},
	{0x08A1, 33, 30, 0}, {0x0521, 34, 31, 0}, {0x0441, 35, 32, 0}, {0x02A1, 36, 33, 0},
	{0x0221, 37, 34, 0}, {0x0141, 38, 35, 0}, {0x0111, 39, 36, 0}, {0x0085, 40, 37, 0},
	{0x0049, 41, 38, 0}, {0x0025, 42, 39, 0}, {0x0015, 43, 40, 0}, {0x0009, 44, 41, 0},
	{0x0005, 45, 42, 0}, {0x0001, 45, 43, 0}, {0x5601, 46, 46, 0},
}

// makeStates makes the table of states.
func makeStates() (states [2 * len(estimates)]uint32) {
	for number := range uint32(len(states)) {
		row, mps := estimates[number/2], number%2
		states[number] = row[0]<<16 | (2*row[1]+mps)<<afterMPS | (2*row[2]+(mps^row[3]))<<afterLPS | mps
	}
	return states
}

// beginContexts sets all contexts to their initial states.
func (v *invocation) beginContexts() {
	for context := range v.contexts {
		v.contexts[context] = states[0]
	}
	v.contexts[0], v.contexts[runContext], v.contexts[uniformContext] = states[8], states[6], states[92]
}

// nextSymbol decodes a symbol in a context, or a raw bit.
func (v *invocation) nextSymbol(context uint32) uint32 {
	symbol, count := v.code>>31, uint32(1)
	if !v.isRaw {
		state := v.contexts[context&contextMask]
		lps := state & 0xFFFF_0000
		v.interval -= lps
		isLower := v.code < lps
		isLPS := isLower != (v.interval < lps)
		if isLower {
			v.interval = lps
		} else {
			v.code -= lps
		}
		count = uint32(bits.LeadingZeros32(v.interval))
		if count > 0 { // the state changes only when the interval became too narrow
			v.interval <<= count
			after := afterMPS
			if isLPS {
				after = afterLPS
			}
			v.contexts[context&contextMask] = states[state>>after&stateMask]
		}
		symbol = (state ^ one(isLPS) ^ context>>flippedBit) & 1
	}
	v.drop(count)
	return symbol
}
