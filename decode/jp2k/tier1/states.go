package tier1

// state is the state of a context. The upper 16 bits are the width of the interval of the less
// probable symbol (LPS), at the position of the coder's widths. The lowest bit is the more probable
// symbol (MPS). The bits between are the offset in bytes of the following states in transitions.
type state uint64

const (
	widthShift       = 48
	transitionsShift = 4 // log2 of the bytes of two states
	transitionsMask  = 0xFFFE
)

// lps returns the width of the interval of the less probable symbol.
func (s state) lps() uint64 { return uint64(s) >> widthShift << widthShift }

// mps returns the more probable symbol.
func (s state) mps() uint64 { return uint64(s) & 1 }

// after returns the state that follows a symbol that made the interval too narrow.
func (s state) after(symbol uint64) state {
	return transitions[s&transitionsMask>>transitionsShift][symbol&1]
}

// estimate is a row of the standard's table of probabilities.
type estimate struct {
	lps                uint16
	afterMPS, afterLPS uint8
	switchesMPS        bool
}

var estimates = [47]estimate{
	{0x5601, 1, 1, true}, {0x3401, 2, 6, false}, {0x1801, 3, 9, false}, {0x0AC1, 4, 12, false},
	{0x0521, 5, 29, false}, {0x0221, 38, 33, false}, {0x5601, 7, 6, true}, {0x5401, 8, 14, false},
	{0x4801, 9, 14, false}, {0x3801, 10, 14, false}, {0x3001, 11, 17, false}, {0x2401, 12, 18, false},
	{0x1C01, 13, 20, false}, {0x1601, 29, 21, false}, {0x5601, 15, 14, true}, {0x5401, 16, 14, false},
	{0x5101, 17, 15, false}, {0x4801, 18, 16, false}, {0x3801, 19, 17, false}, {0x3401, 20, 18, false},
	{0x3001, 21, 19, false}, {0x2801, 22, 19, false}, {0x2401, 23, 20, false}, {0x2201, 24, 21, false},
	{0x1C01, 25, 22, false}, {0x1801, 26, 23, false}, {0x1601, 27, 24, false}, {0x1401, 28, 25, false},
	{0x1201, 29, 26, false}, {0x1101, 30, 27, false}, {0x0AC1, 31, 28, false}, {0x09C1, 32, 29, false},
	{0x08A1, 33, 30, false}, {0x0521, 34, 31, false}, {0x0441, 35, 32, false}, {0x02A1, 36, 33, false},
	{0x0221, 37, 34, false}, {0x0141, 38, 35, false}, {0x0111, 39, 36, false}, {0x0085, 40, 37, false},
	{0x0049, 41, 38, false}, {0x0025, 42, 39, false}, {0x0015, 43, 40, false}, {0x0009, 44, 41, false},
	{0x0005, 45, 42, false}, {0x0001, 45, 43, false}, {0x5601, 46, 46, false},
}

// transitions are the states that follow state number 47*MPS + row, after a 0 and after a 1.
var transitions = makeTransitions()

func makeTransitions() (table [2 * len(estimates)][2]state) {
	for number := range table {
		e, mps := &estimates[number%len(estimates)], number/len(estimates)
		table[number][mps] = stateOf(int(e.afterMPS), mps)
		lps := 1 - mps
		if e.switchesMPS {
			mps = lps
		}
		table[number][lps] = stateOf(int(e.afterLPS), mps)
	}
	return table
}

func stateOf(row, mps int) state {
	number := mps*len(estimates) + row
	return state(estimates[row].lps)<<widthShift | state(number<<transitionsShift|mps)
}

// contexts are the states of all contexts.
type contexts [contextMask + 1]state

// initialContexts are the states at the beginning of a block, and of each pass if the style has
// ResetContexts.
var initialContexts = makeInitialContexts()

func makeInitialContexts() (initial contexts) {
	for i := range initial {
		initial[i] = stateOf(0, 0)
	}
	initial[idleContext] = 0
	initial[zeroContext] = stateOf(4, 0)
	initial[runContext] = stateOf(3, 0)
	initial[uniformContext] = stateOf(46, 0)
	return initial
}
