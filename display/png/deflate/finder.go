package deflate

import (
	"encoding/binary"
	"math/bits"
)

// A sequence is some literals, then a match; none at the end of a block, where length is 0.
type sequence struct {
	literals         uint32
	length, distance uint16
}

const (
	hashBits = 14

	// anchorBytes are hashed. A match of fewer bytes is not found by itself: it would hardly be shorter than its
	// literals, which are often of few bits here.
	anchorBytes = 7

	// missesBits is the logarithm of after how many positions in vain the finder looks at every second only, and so on.
	missesBits = 5
)

// finder finds repetitions: where the same bytes were last.
type finder struct {
	last      [1 << hashBits]uint16 // by hash, the lowest bits of the position of the last occurrence
	sequences []sequence
}

// begin forgets all data.
func (f *finder) begin() { f.last = [1 << hashBits]uint16{} }

func hash(word uint64) uint64 {
	return word << (64 - 8*anchorBytes) * 0x9e3779b97f4a7c15 >> (64 - hashBits)
}

// find makes sequences of data from start to end. Matches may begin before start, and bytes behind end are looked at.
func (f *finder) find(data []byte, start, end int) {
	f.sequences = f.sequences[:0]
	literal := start // the first of those that are not in a sequence yet
	misses := 0
	last := min(len(data)-wordBytes, end-anchorBytes)
	for at := start; at <= last; {
		word := binary.LittleEndian.Uint64(data[at:])
		slot := &f.last[hash(word)]
		distance := (at - int(*slot)) & (1<<16 - 1)
		candidate := at - distance
		*slot = uint16(at)
		if uint(distance-1) >= maxDistance || candidate < 0 ||
			(binary.LittleEndian.Uint64(data[candidate:])^word)<<(64-8*anchorBytes) != 0 {
			at += 1 + misses>>missesBits
			misses++
			continue
		}
		misses = 0
		length := anchorBytes + matchLength(data[candidate+anchorBytes:], data[at+anchorBytes:end])
		for at > literal && candidate > 0 && data[at-1] == data[candidate-1] {
			at--
			candidate--
			length++
		}
		f.add(at-literal, length, distance)
		at += length
		literal = at
		if at+wordBytes <= len(data) { // a match has anchorBytes at least
			for inside := at - anchorBytes; inside < at; inside++ {
				f.last[hash(binary.LittleEndian.Uint64(data[inside:]))] = uint16(inside)
			}
		}
	}
	f.sequences = append(f.sequences, sequence{literals: uint32(end - literal)})
}

// add adds a match, in pieces where it is longer than one can be, none of them shorter than minMatch.
func (f *finder) add(literals, length, distance int) {
	for length > 0 {
		n := min(length, maxMatch)
		if rest := length - n; rest > 0 && rest < minMatch {
			n -= minMatch - rest
		}
		f.sequences = append(f.sequences, sequence{uint32(literals), uint16(n), uint16(distance)})
		literals = 0
		length -= n
	}
}

// matchLength returns how many bytes of both are equal; the second is the shorter one.
func matchLength(a, b []byte) int {
	n := 0
	for ; n+wordBytes <= len(b); n += wordBytes {
		if different := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); different != 0 {
			return n + bits.TrailingZeros64(different)/8
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
