package tier1

// state is what a context has learned: in the upper 16 bits how wide the interval of the less probable symbol is, where the coder
// has its widths; in the lowest the more probable symbol; in between where in transitions is what follows, in bytes, as the passes in
// assembly want it.
type state uint64

const (
	widthShift       = 48
	transitionsShift = 4 // of two states of 8 bytes
	transitionsMask  = 0xFFFE
)

// less is the width of the less probable symbol's interval.
func (s state) less() uint64 { return uint64(s) >> widthShift << widthShift }

// more is the more probable symbol.
func (s state) more() uint64 { return uint64(s) & 1 }

// after is the state after a symbol that made the interval too narrow.
func (s state) after(symbol uint64) state {
	return transitions[s&transitionsMask>>transitionsShift][symbol&1]
}

// estimate is a row of the standard's table of probabilities.
type estimate struct {
	less                     uint16
	afterMore, afterLess     uint8
	exchangesSymbolAfterLess bool
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

// transitions are the states that follow each of number 2*row + more probable symbol: after a 0, and after a 1.
var transitions = makeTransitions()

func makeTransitions() (table [2 * len(estimates)][2]state) {
	for number := range table {
		e, more := &estimates[number/2], number&1
		table[number][more] = stateOf(int(e.afterMore), more)
		less := 1 - more
		if e.exchangesSymbolAfterLess {
			more = less
		}
		table[number][less] = stateOf(int(e.afterLess), more)
	}
	return table
}

func stateOf(row, moreProbable int) state {
	number := 2*row + moreProbable
	return state(estimates[row].less)<<widthShift | state(number<<transitionsShift|moreProbable)
}

// contexts are the states of all contexts.
type contexts [contextMask + 1]state

// freshContexts are those that a block begins with, and each pass if the style resets them.
var freshContexts = makeFreshContexts()

func makeFreshContexts() (fresh contexts) {
	for i := range fresh {
		fresh[i] = stateOf(0, 0)
	}
	fresh[zeroContext] = stateOf(4, 0)
	fresh[runContext] = stateOf(3, 0)
	fresh[uniformContext] = stateOf(46, 0)
	return fresh
}
