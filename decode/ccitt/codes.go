package ccitt

import (
	"strings"
	"sync"
)

// codeTables say what the next bits of the input are, which may be more than a code has. They are built once and never
// written again.
type codeTables struct {
	runs  [2][1 << runBits]run // of black and of white
	pairs [1 << pairBits]pair  // of white and black
	modes [1 << modeBits]modeCode
}

const (
	runBits  = 13
	pairBits = 12
	modeBits = 7
)

// The colours are numbered so that the colour of the run that ends with a change is the lowest bit of the change's place.
const (
	black = 0
	white = 1
)

var allTables = sync.OnceValue(func() *codeTables {
	t := new(codeTables)
	addRuns(&t.runs[white], whiteRuns)
	addRuns(&t.runs[black], blackRuns)
	t.addPairs()
	for _, m := range modeCodes {
		addCode(t.modes[:], modeBits, m.text, modeCode{length: uint8(len(m.text)), mode: m.mode, shift: m.shift})
	}
	return t
})

// addCode puts an entry wherever the index begins with a code, written as zeros and ones.
func addCode[entry any](table []entry, indexBits int, text string, e entry) {
	first := 0
	for i := range len(text) {
		first = first<<1 | int(text[i]-'0')
	}
	free := indexBits - len(text)
	for i := range 1 << free {
		table[first<<free|i] = e
	}
}

// run is a code for pixels of one colour: their number, and in the lowest four bits how many bits the code has. Codes
// for multiples of 64 are followed by another. It is zero where the next bits are no code.
type run uint16

func (r run) length() uint8   { return uint8(r & 15) }
func (r run) pixels() int32   { return int32(r >> 4) }
func (r run) goesOn() bool    { return r.pixels() > longestLast }
func (r run) isMissing() bool { return r == 0 }

// longestLast is the longest run whose code ends a run.
const longestLast = 63

// addRuns adds the codes of a colour, and those for the longest runs, which both colours share.
func addRuns(table *[1 << runBits]run, codes string) {
	pixels := 0
	for _, text := range strings.Fields(codes + longRuns) {
		addCode(table[:], runBits, text, run(pixels<<4|len(text)))
		if pixels < longestLast {
			pixels++
		} else {
			pixels = pixels&^longestLast + longestLast + 1
		}
	}
}

// pair is a short white run and a short black one at once: in the lowest four bits how many bits the two codes have,
// then six bits for the black pixels and six for the white. It is zero where the next bits are no such pair.
type pair uint16

func (p pair) length() uint8 { return uint8(p & 15) }
func (p pair) white() int32  { return int32(p >> 10) }
func (p pair) black() int32  { return int32(p >> 4 & longestLast) }

func (t *codeTables) addPairs() {
	for i := range t.pairs {
		bits := i << (runBits - pairBits)
		first := t.runs[white][bits]
		second := t.runs[black][bits<<first.length()%(1<<runBits)]
		length := first.length() + second.length()
		if !first.isMissing() && !second.isMissing() && !first.goesOn() && !second.goesOn() && length <= pairBits {
			t.pairs[i] = pair(first.pixels()<<10 | second.pixels()<<4 | int32(length))
		}
	}
}

// modeCode says how a row of T.6 goes on. It is zero where the next bits are no code.
type modeCode struct {
	length uint8
	mode   mode
	shift  int16 // of a vertical mode: pixels to the right of the change above
}

type mode uint8

const (
	noMode mode = iota
	vertical
	horizontal
	pass
	extension
)

var modeCodes = []struct {
	text  string
	mode  mode
	shift int16
}{
	{"1", vertical, 0},
	{"011", vertical, 1},
	{"000011", vertical, 2},
	{"0000011", vertical, 3},
	{"010", vertical, -1},
	{"000010", vertical, -2},
	{"0000010", vertical, -3},
	{"001", horizontal, 0},
	{"0001", pass, 0},
	{"0000001", extension, 0},
}
