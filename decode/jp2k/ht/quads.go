package ht

import "encoding/binary"

// Sizes for blocks of any shape with 4096 samples. A block has at most 820 pairs of quads. A pair
// has at most 30 bits of VLC: two codewords of 7, two prefixes of 3, two suffixes of 5.
const (
	maxPairs     = 2*MaxSide + 8 // with the empty pairs of the padding
	vlcBytes     = 4096
	pairVLCBytes = 4
)

// quadReader decodes the VLC and MEL segments, the first step of the cleanup pass. They give the
// significant samples of each quad and the maximum length of their magnitudes.
type quadReader struct {
	vlc      [vlcBytes + streamPadding]byte
	position uint // of the next bit
	mel      mel
}

// begin takes the suffix of a cleanup segment and the number of its pairs.
func (q *quadReader) begin(suffix []byte, pairs int) {
	q.mel.begin(suffix)
	end := unstuffVLC(q.vlc[:], suffix)
	clear(q.vlc[end:max(end, pairs*pairVLCBytes)]) // no bits of an earlier block may be read
	q.position = 0
}

// fetch returns at least 57 bits, from position on.
func (q *quadReader) fetch(position uint) uint64 {
	return binary.LittleEndian.Uint64(q.vlc[position>>3&(vlcBytes-1):]) >> (position & 7)
}

// firstRow decodes the quads of the first row, in pairs. Each quad may take an event, and so may the u
// of each pair.
func (q *quadReader) firstRow(pairs []uint64, columns int) {
	q.mel.decode(columns + len(pairs))
	context := uint32(0)
	for i := range (columns + 1) / 2 {
		bits := q.fetch(q.position)
		first := q.quad(firstRowLookup, context, bits)
		used := first & lengthMask
		context = contextOfNext(first)
		second := uint32(0)
		if 2*i+1 < columns {
			second = q.quad(firstRowLookup, context, bits>>used)
			used += second & lengthMask
			context = contextOfNext(second)
		}
		which := whichHaveU(first, second)
		if which == bothHaveU && q.mel.event() != 0 {
			which = bothHaveLargeU
		}
		bits >>= used
		entry := firstRowPairLookup[which|uint32(bits)&(firstHasU-1)]
		pairs[i] = withU(first, second, entry, bits)
		q.position += uint(used) + uint(entry&lengthMask)
	}
}

// quad looks up a codeword. If the context is 0, a MEL event says whether a codeword follows. Since
// both are unpredictable, it has no branches.
func (q *quadReader) quad(lookup *quadLookup, context uint32, bits uint64) uint32 {
	hasEvent := (context - 1) >> 31
	without := hasEvent &^ uint32(q.mel.fetch())
	q.mel.position += uint(hasEvent)
	return lookup[context|without*noCodeword|uint32(bits)&codewordMask]
}

// contextOfNext returns what an entry gives to the context of the quad on its right.
func contextOfNext(entry uint32) uint32 { return entry >> contextBit & 7 << codewordBits }

// whichHaveU returns the upper part of the index of an entry for a pair.
func whichHaveU(first, second uint32) uint32 {
	return first>>hasUBit&1*firstHasU | second>>hasUBit&1*secondHasU
}

// withU joins two quads and their u, which begin the bits, into a pair.
func withU(first, second uint32, entry, bits uint64) (pair uint64) {
	firstSuffix, secondSuffix := entry>>suffixLengthBit&7, entry>>(suffixLengthBit+8)&7
	bits >>= entry >> prefixLengthBit & 7
	pair = uint64(first>>quadBit) | uint64(second>>quadBit)<<32 | entry&upperHalves
	pair += bits & (1<<firstSuffix - 1) << upperBit
	return pair + bits>>firstSuffix&(1<<secondSuffix-1)<<(upperBit+32)
}

// otherRow decodes the quads of a row below above, in pairs.
func (q *quadReader) otherRow(pairs, above []uint64, columns int) {
	q.mel.decode(columns)
	whole := columns / 2
	left := q.wholePairs(pairs, above, whole)
	if columns%2 != 0 {
		before := uint64(0)
		if whole > 0 {
			before = above[whole-1]
		}
		pairs[whole] = q.lastQuad(left | uint32(contextsFromAbove(before, above[whole], 0)))
	}
}

// wholePairsInGo decodes pairs of quads. This takes most of the time of the first step. It returns the
// share of the last quad in the context of the next one. The next count bits are in bits. Before each
// pair, more bits from byte next on are appended, so that the loop never waits for memory.
func (q *quadReader) wholePairsInGo(pairs, above []uint64) (left uint32) {
	bits, count, next := q.fetch(q.position), 56-q.position&7, q.position>>3+7
	before, at := uint64(0), above[0]
	above = above[1:][:len(pairs)]
	for i := range pairs {
		behind := above[i]
		up := contextsFromAbove(before, at, behind)
		before, at = at, behind

		// Two events 0, the usual case where no neighbor is significant.
		if up|uint64(left) == 0 && q.mel.fetch()&3 == 0 {
			q.mel.position += 2
			pairs[i] = 0
			continue
		}
		bits |= binary.LittleEndian.Uint64(q.vlc[next&(vlcBytes-1):]) << (count & 63)
		next += (63 - count) >> 3
		count |= 56

		first := q.quad(otherRowsLookup, left|uint32(up), bits)
		bits >>= first & lengthMask
		second := q.quad(otherRowsLookup, contextOfNext(first)|uint32(up>>32), bits)
		bits >>= second & lengthMask
		left = contextOfNext(second)

		entry := pairLookup[(whichHaveU(first, second)|uint32(bits)&(firstHasU-1))%bothHaveLargeU]
		pairs[i] = withU(first, second, entry, bits)
		bits >>= entry & lengthMask
		count -= uint(first&lengthMask) + uint(second&lengthMask) + uint(entry&lengthMask)
	}
	q.position = next<<3 - count
	return left
}

// lastQuad decodes the last quad of a row with an odd number of quads. The other quad of its pair
// is empty.
func (q *quadReader) lastQuad(context uint32) uint64 {
	bits := q.fetch(q.position)
	quad := q.quad(otherRowsLookup, context, bits)
	bits >>= quad & lengthMask
	entry := pairLookup[whichHaveU(quad, 0)|uint32(bits)&(firstHasU-1)]
	q.position += uint(quad&lengthMask) + uint(entry&lengthMask)
	return withU(quad, 0, entry, bits)
}
