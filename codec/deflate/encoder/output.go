package encoder

import (
	"encoding/binary"
	"slices"

	"tileserver/codec/deflate"
)

// bitEnd holds the bits of a stream that are not yet written as bytes.
type bitEnd struct {
	pending uint64 // the lowest count bits are valid
	count   uint   // below 8 between calls
}

// output writes bits, lowest first, to a slice with sufficient capacity, so that writing needs no
// bounds checks.
type output struct {
	bytes  []byte // extends to the capacity
	length int
	end    bitEnd
}

// wordBytes is the size of a write, of which only some bytes may be final.
const wordBytes = 8

// newOutput returns an output that continues after dst and end, with capacity for room more bytes.
func newOutput(dst []byte, end bitEnd, room int) output {
	grown := slices.Grow(dst, room+2*wordBytes)
	return output{bytes: grown[:cap(grown)], length: len(dst), end: end}
}

// finish returns the whole bytes and the remaining bits.
func (o *output) finish() ([]byte, bitEnd) { return o.bytes[:o.length], o.end }

// put writes up to 56 bits.
func (o *output) put(value uint64, bits uint) {
	pending, count := o.end.pending|value<<(o.end.count&63), o.end.count+bits
	binary.LittleEndian.PutUint64(o.bytes[o.length:], pending)
	o.length += int(count >> 3)
	o.end = bitEnd{pending >> (count &^ 7 & 63), count & 7}
}

func (o *output) putCode(c code) { o.put(c.value(), c.length()) }

// putLiteralsGo writes the codes of literals, four per word. Each code has at most maxCodeBits.
func (o *output) putLiteralsGo(codes *codes, literals []byte) {
	bytes, at, pending, count := o.bytes, o.length, o.end.pending, o.end.count
	table := (*[256]code)(codes.literals[:256])
	for ; len(literals) >= 4; literals = literals[4:] {
		c := table[literals[0]]
		pending |= c.value() << (count & 63)
		count += c.length()
		c = table[literals[1]]
		pending |= c.value() << (count & 63)
		count += c.length()
		c = table[literals[2]]
		pending |= c.value() << (count & 63)
		count += c.length()
		c = table[literals[3]]
		pending |= c.value() << (count & 63)
		count += c.length()
		binary.LittleEndian.PutUint64(bytes[at:], pending)
		at += int(count >> 3)
		pending >>= count &^ 7 & 63
		count &= 7
	}
	o.length, o.end = at, bitEnd{pending, count}
	for _, literal := range literals {
		o.putCode(table[literal])
	}
}

// minFastLiterals is the length from which a run of literals is written with putLiterals.
const minFastLiterals = 16

// putSequences writes the codes of sequences. start is the index of their first byte in data.
func (o *output) putSequences(codes *codes, data []byte, start int, sequences []sequence) {
	for _, s := range sequences {
		literals := data[start : start+int(s.literals)]
		start += int(s.literals) + int(s.length)
		if len(literals) >= minFastLiterals {
			o.putLiterals(codes, literals)
		} else {
			o.putFew(codes, literals)
		}
		if s.length > 0 {
			o.putMatch(codes, s)
		}
	}
}

func (o *output) putFew(codes *codes, literals []byte) {
	at, pending, count := o.length, o.end.pending, o.end.count
	for _, literal := range literals {
		c := codes.literals[literal]
		pending |= c.value() << (count & 63)
		count += c.length()
		binary.LittleEndian.PutUint64(o.bytes[at:], pending)
		at += int(count >> 3)
		pending >>= count &^ 7 & 63
		count &= 7
	}
	o.length, o.end = at, bitEnd{pending, count}
}

func (o *output) putMatch(codes *codes, s sequence) {
	length, distance := lengthCodeOf(s.length), distanceCodeOf(s.distance)
	c := codes.literals[deflate.FirstLength+int(length)]
	value, bits := c.value(), c.length()
	value |= uint64(s.length-deflate.LengthBases[length]) << (bits & 63)
	bits += uint(deflate.LengthExtraBits[length])
	c = codes.distances[distance]
	value |= c.value() << (bits & 63)
	bits += c.length()
	value |= uint64(s.distance-deflate.DistanceBases[distance]) << (bits & 63)
	o.put(value, bits+uint(deflate.DistanceExtraBits[distance]))
}
