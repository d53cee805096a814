// Package deflate writes deflate streams (RFC 1951) as fast as map tiles want it, of data that is there at once.
// It knows bytes only: not what they mean, nor the format around the stream.
package deflate

import "encoding/binary"

// Effort is how hard an Encoder tries.
type Effort uint8

const (
	// Literals looks for no repetitions and only gives frequent bytes short codes: noise has none worth finding.
	Literals Effort = iota
	// Matches also replaces what was there before by where it was.
	Matches
)

// blockBytes are about what is coded with codes of its own. What is typical of data changes along it, so that larger
// blocks make larger streams, and the tables of smaller ones weigh more.
const blockBytes = 1 << 16

// An Encoder keeps its buffers from one stream to the next, so that none of them allocates. The zero value is ready for
// a stream. It must not be used by two goroutines at once.
type Encoder struct {
	bits   bitEnd // what of the last byte is written
	finder finder
	tally  tally
	codes  codes
	header header
}

// Append appends data, of less than 2 GiB, to the stream that dst ends with, or begins a stream. What is said to be last
// ends it, at a whole byte; before that some bits may be kept back. Matches reach back to the beginning of data only,
// never to calls before.
func (e *Encoder) Append(dst, data []byte, effort Effort, last bool) []byte {
	if effort == Matches {
		e.finder.begin()
	}
	blocks := max((len(data)+blockBytes/2)/blockBytes, 1)
	for start, left := 0, blocks; left > 0; left-- {
		end := start + (len(data)-start)/left
		e.tally = tally{}
		if effort == Matches {
			e.finder.find(data, start, end)
			e.tally.addSequences(data, start, e.finder.sequences)
		} else {
			e.tally.addLiterals(data[start:end])
		}
		dst = e.appendBlock(dst, data, start, end, effort, last && left == 1)
		start = end
	}
	if last {
		dst = e.flush(dst)
	}
	return dst
}

// appendBlock takes the shortest of the three kinds of block.
func (e *Encoder) appendBlock(dst, data []byte, start, end int, effort Effort, last bool) []byte {
	e.tally.literals[endOfBlock]++
	e.codes.fit(&e.tally)
	e.header.describe(&e.codes)
	dynamic := e.header.bits() + e.codes.cost(&e.tally)
	fixed := fixedCodes.cost(&e.tally)
	const kindBits, storedOverhead = 3, 5 * 8
	if stored := (end - start) * 8; stored+storedOverhead < min(dynamic, fixed) {
		return e.appendStored(dst, data[start:end], last)
	}
	codes := &e.codes
	if fixed <= dynamic {
		codes = &fixedCodes
	}
	out := newOutput(dst, e.bits, (kindBits+min(dynamic, fixed))/8)
	if codes == &e.codes {
		out.put(boolBit(last)|kindDynamic<<1, kindBits)
		e.header.write(&out)
	} else {
		out.put(boolBit(last)|kindFixed<<1, kindBits)
	}
	if effort == Matches {
		out.putSequences(codes, data, start, e.finder.sequences)
	} else {
		out.putLiterals(codes, data[start:end])
	}
	out.putCode(codes.literals[endOfBlock])
	dst, e.bits = out.finish()
	return dst
}

// The kinds of block, as the format numbers them.
const (
	kindStored  = 0
	kindFixed   = 1
	kindDynamic = 2
)

const maxStoredBytes = 1<<16 - 1

// appendStored appends data as it is.
func (e *Encoder) appendStored(dst, data []byte, last bool) []byte {
	for {
		n := min(len(data), maxStoredBytes)
		out := newOutput(dst, e.bits, 1)
		out.put(boolBit(last && n == len(data)), 3)
		dst, e.bits = out.finish()
		dst = e.flush(dst)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(n))
		dst = binary.LittleEndian.AppendUint16(dst, ^uint16(n))
		dst = append(dst, data[:n]...)
		if data = data[n:]; len(data) == 0 {
			return dst
		}
	}
}

// flush writes the bits that are kept back, filled up to a byte.
func (e *Encoder) flush(dst []byte) []byte {
	if e.bits.count > 0 {
		dst = append(dst, byte(e.bits.pending))
	}
	e.bits = bitEnd{}
	return dst
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
