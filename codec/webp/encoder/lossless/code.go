package lossless

import (
	"tileserver/codec/huffman"
	"tileserver/codec/webp/vp8l"
)

// codeWriter writes prefix code descriptions.
type codeWriter struct {
	out     *bitWriter
	finder  lengthFinder
	lengths [maxAlphabet]uint8
	runs    []lengthRun
}

// lengthRun is a symbol of the code for code lengths, with the extra bits of its repeat count.
type lengthRun struct{ symbol, extra uint8 }

const (
	maxLengthOfLength = 7
)

var extraBitsOfRun = [vp8l.LengthSymbols]uint{vp8l.RepeatLast: 2, vp8l.ZerosShort: 3, vp8l.ZerosLong: 7}

// write builds a code for symbols with the given counts and writes its description.
func (w *codeWriter) write(codes []code, counts []uint32) {
	first, second, symbols := firstSymbols(counts)
	if symbols <= 2 && second < vp8l.Literals {
		w.writeSimple(codes, first, second, symbols)
		return
	}
	lengths := w.lengths[:len(counts)]
	if symbols == 1 {
		// Decoders disagree about a code of one symbol in the long form, so a second symbol is
		// added.
		clear(lengths)
		lengths[0], lengths[first] = 1, 1
	} else {
		w.finder.lengths(lengths, counts, huffman.MaxBits)
	}
	assign(codes, lengths)
	w.writeLengths(lengths)
}

// firstSymbols returns the first two symbols that occur, and the number of symbols. With a single
// symbol, both are equal.
func firstSymbols(counts []uint32) (first, second, symbols int) {
	for symbol, count := range counts {
		if count == 0 {
			continue
		}
		if symbols++; symbols == 1 {
			first, second = symbol, symbol
		} else if symbols == 2 {
			second = symbol
		}
	}
	return first, second, symbols
}

// writeSimple writes a code of at most two symbols below 256. A single symbol takes no bits.
func (w *codeWriter) writeSimple(codes []code, first, second, symbols int) {
	clear(codes)
	w.out.writeFlag(true)
	w.out.writeFlag(symbols == 2)
	w.out.writeFlag(first > 1)
	if first > 1 {
		w.out.write(uint32(first), 8)
	} else {
		w.out.write(uint32(first), 1)
	}
	if symbols == 2 {
		w.out.write(uint32(second), 8)
		codes[first], codes[second] = makeCode(0, 1), makeCode(1, 1)
	}
}

// writeLengths writes the lengths of a code, preceded by the code for code lengths.
func (w *codeWriter) writeLengths(lengths []uint8) {
	w.findRuns(lengths)
	var counts [vp8l.LengthSymbols]uint32
	for _, run := range w.runs {
		counts[run.symbol]++
	}
	if first, _, symbols := firstSymbols(counts[:]); symbols == 1 {
		counts[(first+1)%vp8l.LengthSymbols] = 1 // avoid a code of one symbol here, too
	}
	var own [vp8l.LengthSymbols]uint8
	w.finder.lengths(own[:], counts[:], maxLengthOfLength)
	var codes [vp8l.LengthSymbols]code
	assign(codes[:], own[:])

	written := vp8l.LengthSymbols
	for written > 4 && own[vp8l.LengthOrder[written-1]] == 0 {
		written--
	}
	w.out.writeFlag(false)
	w.out.write(uint32(written-4), 4)
	for _, symbol := range vp8l.LengthOrder[:written] {
		w.out.write(uint32(own[symbol]), 3)
	}
	w.out.writeFlag(false) // lengths follow for all symbols
	for _, run := range w.runs {
		w.out.writeCode(codes[run.symbol])
		w.out.write(uint32(run.extra), extraBitsOfRun[run.symbol])
	}
}

// findRuns splits lengths into runs that one symbol can represent.
func (w *codeWriter) findRuns(lengths []uint8) {
	w.runs = w.runs[:0]
	last := uint8(vp8l.InitialLength)
	for len(lengths) > 0 {
		length, times := lengths[0], 1
		for times < len(lengths) && lengths[times] == length {
			times++
		}
		lengths = lengths[times:]
		if length == 0 {
			w.addZeros(times)
			continue
		}
		if length != last {
			w.runs = append(w.runs, lengthRun{symbol: length})
			times--
			last = length
		}
		w.addRepeats(length, times)
	}
}

func (w *codeWriter) addZeros(times int) {
	for ; times >= 11; times -= min(times, 138) {
		w.runs = append(w.runs, lengthRun{vp8l.ZerosLong, uint8(min(times, 138) - 11)})
	}
	if times >= 3 {
		w.runs = append(w.runs, lengthRun{vp8l.ZerosShort, uint8(times - 3)})
		return
	}
	for range times {
		w.runs = append(w.runs, lengthRun{})
	}
}

func (w *codeWriter) addRepeats(length uint8, times int) {
	for ; times >= 3; times -= min(times, 6) {
		w.runs = append(w.runs, lengthRun{vp8l.RepeatLast, uint8(min(times, 6) - 3)})
	}
	for range times {
		w.runs = append(w.runs, lengthRun{symbol: length})
	}
}
