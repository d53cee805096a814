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
	run      int // of the next events, as returned by mel.run
}

// begin takes the suffix of a cleanup segment and the number of its pairs. The last twelve bits of
// the suffix are its length and belong to neither segment.
func (q *quadReader) begin(suffix []byte, pairs int) {
	q.mel = mel{suffix: suffix}
	q.run = q.mel.run()

	half := suffix[len(suffix)-2] | 0x0F
	first := unstuffer{to: q.vlc[:], bits: uint64(half >> 4), count: 4}
	if half&0x70 == 0x70 {
		first.bits, first.count = 7, 3
	}
	end := first.backward(suffix[:len(suffix)-2], half)
	clear(q.vlc[end:max(end, pairs*pairVLCBytes)]) // no bits of an earlier block may be read
	q.position = 0
}

// fetch returns at least 57 bits, from position on.
func (q *quadReader) fetch(position uint) uint64 {
	return binary.LittleEndian.Uint64(q.vlc[position>>3&(vlcBytes-1):]) >> (position & 7)
}

// event returns the next MEL event: 0 or 1.
func (q *quadReader) event() (event uint32) {
	event, q.run = q.ifEvent(1, q.run)
	return event
}

// ifEvent returns the entry if the next event of the run is 1, else 0. It also returns the rest of
// the run.
func (q *quadReader) ifEvent(entry uint32, run int) (uint32, int) {
	if run >= 2 {
		return 0, run - 2
	}
	return entry & -uint32(run&1), q.mel.run()
}

// firstRow decodes the quads of the first row, in pairs.
func (q *quadReader) firstRow(pairs []uint64, columns int) {
	context := uint32(0)
	for i := range (columns + 1) / 2 {
		bits := q.fetch(q.position)
		first := q.quad(firstRowLookup, context, bits)
		used := first & lengthMask
		context = first >> upperBit
		second := uint32(0)
		if 2*i+1 < columns {
			second = q.quad(firstRowLookup, context, bits>>used)
			used += second & lengthMask
			context = second >> upperBit
		}
		which := first>>hasUBit&1*firstHasU | second>>hasUBit&1*secondHasU
		if which == bothHaveU && q.event() != 0 {
			which = bothHaveLargeU
		}
		bits >>= used
		entry := firstRowPairLookup[which|uint32(bits)&(firstHasU-1)]
		pair, taken := withU(first, second, entry, bits)
		pairs[i] = pair
		q.position += uint(used) + taken
	}
}

// quad looks up a codeword. If the context is 0, a MEL event says whether a codeword follows.
func (q *quadReader) quad(lookup *quadLookup, context uint32, bits uint64) uint32 {
	if context == 0 && q.event() == 0 {
		return 0
	}
	return lookup[(context|uint32(bits)&codewordMask)&lookupMask]
}

// withU joins two quads and their u into a pair. It returns the bits that both u took.
func withU(first, second uint32, entry, bits uint64) (pair uint64, taken uint) {
	prefixes := uint(entry & lengthMask)
	firstSuffix, secondSuffix := uint(entry>>firstSuffixBit&suffixMask), uint(entry>>secondSuffixBit&suffixMask)
	bits >>= prefixes
	pair = uint64(first&lowerMask) | uint64(second&lowerMask)<<32 | entry&prefixValueMask
	pair += bits & (1<<firstSuffix - 1) << upperBit
	pair += bits >> firstSuffix & (1<<secondSuffix - 1) << (upperBit + 32)
	return pair, prefixes + firstSuffix + secondSuffix
}

// otherRow decodes the quads of a row below above, in pairs. It takes most of the time of the first
// step. The next count bits are in bits. Before each pair, more bits from byte next on are
// appended, so that the loop never waits for memory.
func (q *quadReader) otherRow(pairs, above []uint64, columns int) {
	run := q.run
	bits, count, next := q.fetch(q.position), 56-q.position&7, q.position>>3+7
	left := uint32(0)
	before, at := uint64(0), above[0]
	whole := pairs[:columns/2]
	above = above[1:][:len(whole)]
	for i := range whole {
		behind := above[i]
		up := contextsFromAbove(before, at, behind)
		before, at = at, behind

		// Two events 0, the usual case where no neighbor is significant.
		if up|uint64(left) == 0 && run >= 4 {
			run -= 4
			whole[i] = 0
			continue
		}
		bits |= binary.LittleEndian.Uint64(q.vlc[next&(vlcBytes-1):]) << (count & 63)
		next += (63 - count) >> 3
		count |= 56
		context := left | uint32(up)
		first := otherRowsLookup[(context|uint32(bits)&codewordMask)&lookupMask]
		if context == 0 {
			first, run = q.ifEvent(first, run)
		}
		bits >>= first & lengthMask
		context = first>>upperBit | uint32(up>>32)
		second := otherRowsLookup[(context|uint32(bits)&codewordMask)&lookupMask]
		if context == 0 {
			second, run = q.ifEvent(second, run)
		}
		bits >>= second & lengthMask
		left = second >> upperBit

		which := first>>hasUBit&1*firstHasU | second>>hasUBit&1*secondHasU
		entry := pairLookup[(which|uint32(bits)&(firstHasU-1))&(bothHaveLargeU-1)]
		pair, taken := withU(first, second, entry, bits)
		whole[i] = pair
		bits >>= taken & 63
		count -= uint(first&lengthMask+second&lengthMask) + taken
	}
	q.position, q.run = next<<3-count, run
	if columns%2 != 0 {
		up := contextsFromAbove(before, at, 0)
		pairs[len(whole)] = q.lastQuad(left | uint32(up))
	}
}

// lastQuad decodes the last quad of a row with an odd number of quads. The other quad of its pair
// is empty.
func (q *quadReader) lastQuad(context uint32) uint64 {
	bits := q.fetch(q.position)
	quad := q.quad(otherRowsLookup, context, bits)
	bits >>= quad & lengthMask
	which := quad >> hasUBit & 1 * firstHasU
	pair, taken := withU(quad, 0, pairLookup[which|uint32(bits)&(firstHasU-1)], bits)
	q.position += uint(quad&lengthMask) + taken
	return pair
}
