// Package encoder writes DEFLATE streams (RFC 1951), tuned for speed on map tiles. It compresses
// slices, not readers. Package codec/png calls it. It knows nothing about the meaning of the
// bytes or the format around the stream.
package encoder

import (
	"encoding/binary"

	"tileserver/codec/deflate"
)

// Effort selects how an Encoder compresses.
type Effort uint8

const (
	// Literals only gives frequent bytes short codes. It suits noisy data, which have no useful
	// repetitions.
	Literals Effort = iota
	// Matches also replaces repetitions by references.
	Matches
)

// blockBytes is the approximate size of a block with its own codes. The statistics of data change,
// so larger blocks compress worse. Smaller blocks spend more on code descriptions.
const blockBytes = 1 << 16

// Encoder writes streams and reuses its buffers, so that it does not allocate in a steady state.
// The zero value is ready to use. It is not safe for concurrent use.
type Encoder struct {
	bits         bitEnd // unfinished last byte
	finder       finder
	symbolCounts symbolCounts
	codes        codes
	header       header
}

// Append appends data, of less than 2 GiB, to the stream at the end of dst, or starts a stream. If
// last is set, it ends the stream at a whole byte; otherwise it may retain some bits for the next
// call. Matches never refer to data of earlier calls.
func (e *Encoder) Append(dst, data []byte, effort Effort, last bool) []byte {
	if effort == Matches {
		e.finder.begin()
	}
	blocks := max((len(data)+blockBytes/2)/blockBytes, 1)
	for start, left := 0, blocks; left > 0; left-- {
		end := start + (len(data)-start)/left
		e.symbolCounts = symbolCounts{}
		if effort == Matches {
			e.finder.find(data, start, end)
			e.symbolCounts.addSequences(data, start, e.finder.sequences)
		} else {
			e.symbolCounts.addLiterals(data[start:end])
		}
		dst = e.appendBlock(dst, data, start, end, effort, last && left == 1)
		start = end
	}
	if last {
		dst = e.flush(dst)
	}
	return dst
}

// appendBlock writes the shortest of the three kinds of block.
func (e *Encoder) appendBlock(dst, data []byte, start, end int, effort Effort, last bool) []byte {
	e.symbolCounts.literals[deflate.EndOfBlock]++
	e.codes.fit(&e.symbolCounts)
	e.header.describe(&e.codes)
	dynamic := e.header.bits() + e.codes.cost(&e.symbolCounts)
	fixed := fixedCodes.cost(&e.symbolCounts)
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
	out.putCode(codes.literals[deflate.EndOfBlock])
	dst, e.bits = out.finish()
	return dst
}

// Kinds of block, as numbered by the format.
const (
	kindStored  = 0
	kindFixed   = 1
	kindDynamic = 2
)

const maxStoredBytes = 1<<16 - 1

// appendStored appends uncompressed data.
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

// flush writes the retained bits, padded to a byte.
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
