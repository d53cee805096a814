package ccitt

import (
	"strings"
	"sync"
)

// codeTables maps the next bits of the input to codes, which may be shorter than the index. It is
// built once and read-only.
type codeTables struct {
	runs  [2][1 << runBits]run // for black and white
	pairs [1 << pairBits]pair  // white, then black
	modes [1 << modeBits]modeCode
}

const (
	runBits  = 13
	pairBits = 12
	modeBits = 7
)

// The color of the run that ends at a change is the lowest bit of the index of that change.
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

// addCode writes an entry to all indexes that begin with a code. text holds the code as zeros and
// ones.
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

// run is a code for a run of one color. It holds the number of pixels, and in its lowest four bits
// the length of the code. Codes for multiples of 64 are followed by another code. A zero run marks
// invalid bits.
type run uint16

func (r run) length() uint8   { return uint8(r & 15) }
func (r run) pixels() int32   { return int32(r >> 4) }
func (r run) continues() bool { return r.pixels() > maxShortRun }
func (r run) isInvalid() bool { return r == 0 }

// maxShortRun is the longest run whose code terminates the run.
const maxShortRun = 63

// addRuns adds the codes of a color, including those for the longest runs, which both colors share.
func addRuns(table *[1 << runBits]run, codes string) {
	pixels := 0
	for _, text := range strings.Fields(codes + longRuns) {
		addCode(table[:], runBits, text, run(pixels<<4|len(text)))
		if pixels < maxShortRun {
			pixels++
		} else {
			pixels = pixels&^maxShortRun + maxShortRun + 1
		}
	}
}

// pair combines the codes of a short white and a short black run. Its lowest four bits hold the
// length of both codes, the next six bits the black pixels, and the highest six bits the white
// pixels. A zero pair marks bits that are no such pair.
type pair uint16

func (p pair) length() uint8 { return uint8(p & 15) }
func (p pair) white() int32  { return int32(p >> 10) }
func (p pair) black() int32  { return int32(p >> 4 & maxShortRun) }

func (t *codeTables) addPairs() {
	for i := range t.pairs {
		bits := i << (runBits - pairBits)
		first := t.runs[white][bits]
		second := t.runs[black][bits<<first.length()%(1<<runBits)]
		length := first.length() + second.length()
		if !first.isInvalid() && !second.isInvalid() && !first.continues() && !second.continues() && length <= pairBits {
			t.pairs[i] = pair(first.pixels()<<10 | second.pixels()<<4 | int32(length))
		}
	}
}

// modeCode is a mode of T.6 with the length of its code. A zero length marks invalid bits.
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
