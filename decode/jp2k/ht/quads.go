package ht

import "encoding/binary"

// Sizes for any shape of 4096 samples. There are 820 pairs of quads at most, of up to 30 bits of VLC:
// two codewords of 7, two prefixes of 3, two suffixes of 5.
const (
	maxPairs     = 2*MaxSide + 8 // with those of nothing
	vlcBytes     = 4096
	pairVLCBytes = 4
)

// quadReader is the first step of the cleanup pass: the VLC and MEL segments, which tell of each quad which samples are
// significant and how long these are at most.
type quadReader struct {
	vlc      [vlcBytes + streamPadding]byte
	position uint // of the next bit
	mel      mel
	run      int // of the events that come next, as mel tells it
}

// begin takes the suffix of a cleanup segment, which tells of so many pairs. Its last twelve bits, which are its length, belong to
// neither segment.
func (q *quadReader) begin(suffix []byte, pairs int) {
	q.mel = mel{suffix: suffix}
	q.run = q.mel.run()

	half := suffix[len(suffix)-2] | 0x0F
	first := unstuffer{to: q.vlc[:], bits: uint64(half >> 4), count: 4}
	if half&0x70 == 0x70 {
		first.bits, first.count = 7, 3
	}
	end := first.backward(suffix[:len(suffix)-2], half)
	clear(q.vlc[end:max(end, pairs*pairVLCBytes)]) // so that no bits of another block are read
	q.position = 0
}

// fetch gives the next 57 bits at least.
func (q *quadReader) fetch(position uint) uint64 {
	return binary.LittleEndian.Uint64(q.vlc[position>>3&(vlcBytes-1):]) >> (position & 7)
}

// event is the next one of MEL: 0 or 1.
func (q *quadReader) event() (event uint32) {
	event, q.run = q.ifEvent(1, q.run)
	return event
}

// ifEvent is the entry where the next event of a run is 1, else nothing, and what is left of the run.
func (q *quadReader) ifEvent(entry uint32, run int) (uint32, int) {
	if run >= 2 {
		return 0, run - 2
	}
	return entry & -uint32(run&1), q.mel.run()
}

// firstRow reads the quads of the first row, in pairs.
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
		which := first>>moreBit&1*firstHasU | second>>moreBit&1*secondHasU
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

// quad looks a codeword up. Where the context is 0 an event tells first whether there is one.
func (q *quadReader) quad(lookup *quadLookup, context uint32, bits uint64) uint32 {
	if context == 0 && q.event() == 0 {
		return 0
	}
	return lookup[(context|uint32(bits)&codewordMask)&lookupMask]
}

// withU puts a pair together and tells how many bits its two u have taken.
func withU(first, second uint32, entry, bits uint64) (pair uint64, taken uint) {
	prefixes := uint(entry & lengthMask)
	firstSuffix, secondSuffix := uint(entry>>firstSuffixBit&suffixMask), uint(entry>>secondSuffixBit&suffixMask)
	bits >>= prefixes
	pair = uint64(first&lowerMask) | uint64(second&lowerMask)<<32 | entry&worthMask
	pair += bits & (1<<firstSuffix - 1) << upperBit
	pair += bits >> firstSuffix & (1<<secondSuffix - 1) << (upperBit + 32)
	return pair, prefixes + firstSuffix + secondSuffix
}

// otherRow reads the quads of a row below above, in pairs. It is what takes most of the time. The next bits stand in bits, count of
// them, and before each pair more are put behind them, from byte next on: so nothing waits for memory.
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

		// Two events of 0, most often where nothing is around.
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

		which := first>>moreBit&1*firstHasU | second>>moreBit&1*secondHasU
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

// lastQuad is the pair of a row's last quad and nothing.
func (q *quadReader) lastQuad(context uint32) uint64 {
	bits := q.fetch(q.position)
	quad := q.quad(otherRowsLookup, context, bits)
	bits >>= quad & lengthMask
	which := quad >> moreBit & 1 * firstHasU
	pair, taken := withU(quad, 0, pairLookup[which|uint32(bits)&(firstHasU-1)], bits)
	q.position += uint(quad&lengthMask) + taken
	return pair
}
