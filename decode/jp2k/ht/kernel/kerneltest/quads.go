package kerneltest

import (
	"math/bits"

	"tileserver/decode/jp2k/ht/internal/vlc"
	"tileserver/gpu/gputest"
)

// The bits of a quad: rho, e_1, e_k, and u, or U at last.
const (
	onesBit  = 4
	knownBit = 8
	upperBit = 16
	quadMask = 0xFFF // without u
)

// The other bits of an entry of codes, which has those of a quad, too.
const (
	lengthBit  = 12
	lengthMask = 7
	hasUBit    = 15
)

// codes has two entries in a word. They are indexed by whether the row is not the first, by the context, and
// by the next bits.
var codes = vlc.Lookup()

const (
	contextBit   = 7
	codewordMask = 127
	otherRow     = 1 << 10
)

// leftContext is what the left neighbor gives to the context, if the row is not the first.
const leftContext = 2

// quadReader is where an invocation is in the streams of its quads.
type quadReader struct {
	invocation
	vlc, mel stream

	vlcPosition uint32 // of the next bit of VLC
	left        uint32 // what the last quad gives to the context of the next one

	melPosition uint32
	melState    uint32
	zeros       uint32 // events that are left of the run: so many times 0
	ones        uint32 // and so many times 1 after these
}

// decodeQuads decodes the quads of a code-block.
func decodeQuads(index int, m *gputest.Memory) {
	r := quadReader{invocation: begin(index, m)}
	r.vlc, r.mel = r.streamOf(vlcStream, 0), r.streamOf(melStream, ^uint32(0))
	for row := range r.rows {
		r.left = 0
		for column := uint32(0); column < r.columns; column += 2 {
			r.decodePair(column, row)
		}
	}
}

// decodePair decodes a pair of quads, which has at most 30 bits.
func (r *quadReader) decodePair(column, row uint32) {
	coded := r.bitsAt(r.vlc, r.vlcPosition)
	var first, second uint32 // entries
	for half := uint32(0); half < 2 && column+half < r.columns; half++ {
		entry := r.entryOf(column+half, row, coded)
		length := entry >> lengthBit & lengthMask
		coded >>= length
		r.vlcPosition += length
		if half == 0 {
			first = entry
		} else {
			second = entry
		}
	}
	firstU, secondU := r.takeU(first>>hasUBit != 0, second>>hasUBit != 0, row == 0, coded)
	r.Scratch[r.quadAt(column, row)] = first&quadMask | firstU<<upperBit
	if column+1 < r.columns {
		r.Scratch[r.quadAt(column+1, row)] = second&quadMask | secondU<<upperBit
	}
}

// entryOf returns the entry of a quad that the bits begin with. Where no neighbor is significant, an event says
// whether there is a codeword at all.
func (r *quadReader) entryOf(column, row, coded uint32) (entry uint32) {
	context := r.left | r.contextFromAbove(column, row)
	if context != 0 || r.nextEvent() != 0 {
		index := otherRow*min(row, 1) | context<<contextBit | coded&codewordMask
		entry = codes[index/2] >> (16 * (index % 2)) & 0xFFFF
	}
	if row == 0 {
		r.left = entry>>1&7 | entry&1
	} else {
		r.left = (entry>>2 | entry>>3) & 1 * leftContext
	}
	return entry
}

// contextFromAbove returns the bits of a context that the row above gives.
func (r *quadReader) contextFromAbove(column, row uint32) uint32 {
	at := r.quadAt(column, row-1)
	before, above, behind := r.Scratch[at-1], r.Scratch[at], r.Scratch[at+1]
	return (above>>1|before>>3)&1 | (above>>3|behind>>1)&1<<2
}

// prefix is the first part of a coded u. A suffix is added to it.
type prefix struct{ length, suffixLength, value uint32 }

// prefixOf returns the prefix that the bits begin with.
func prefixOf(coded uint32) prefix {
	switch {
	case coded&1 != 0:
		return prefix{1, 0, 1}
	case coded&2 != 0:
		return prefix{2, 0, 2}
	case coded&4 != 0:
		return prefix{3, 1, 3}
	}
	return prefix{3, 5, 5}
}

// takeU decodes the u of a pair, of those quads that have one: first both prefixes, then both suffixes. In the
// first row, an event says whether both are larger than 2. If they are not, and the first one is, a single bit
// gives the second.
func (r *quadReader) takeU(firstHas, secondHas, isFirstRow bool, coded uint32) (firstU, secondU uint32) {
	isPair := isFirstRow && firstHas && secondHas
	larger := uint32(0)
	if isPair {
		larger = 2 * r.nextEvent()
	}
	var first, second prefix
	if firstHas {
		first = prefixOf(coded)
	}
	rest := coded >> first.length
	if isPair && larger == 0 && first.value > 2 {
		second = prefix{1, 0, 1 + rest&1}
	} else if secondHas {
		second = prefixOf(rest)
	}
	rest >>= second.length
	firstU = first.value + larger + rest&(1<<first.suffixLength-1)
	rest >>= first.suffixLength
	secondU = second.value + larger + rest&(1<<second.suffixLength-1)
	r.vlcPosition += first.length + second.length + first.suffixLength + second.suffixLength
	return firstU, secondU
}

// nextEvent returns the next event of MEL.
func (r *quadReader) nextEvent() uint32 {
	if r.zeros+r.ones == 0 {
		r.takeRun()
	}
	if r.zeros > 0 {
		r.zeros--
		return 0
	}
	r.ones--
	return 1
}

// lastState is the highest state of MEL.
const lastState = 12

// takeRun decodes a run of events 0. It ends with an event 1 unless it is the longest of its state.
func (r *quadReader) takeRun() {
	coded, exponent := r.bitsAt(r.mel, r.melPosition), exponentOf(r.melState)
	r.melPosition++
	if coded&1 != 0 {
		r.zeros = 1 << exponent
		r.melState = min(r.melState+1, lastState)
		return
	}
	r.melPosition += exponent
	r.zeros = bits.Reverse32(coded>>1) >> 1 >> (31 - exponent)
	r.ones = 1
	r.melState = max(r.melState, 1) - 1
}

// exponentOf returns the base-2 logarithm of the longest run of a state, which has four bits of the number.
func exponentOf(state uint32) uint32 {
	if state < 8 {
		return 0x22111000 >> (4 * state) & 15
	}
	return 0x54332 >> (4 * (state - 8)) & 15
}
