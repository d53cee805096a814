package encoder

import (
	"encoding/binary"
	"math/bits"
)

// sequence is a run of literals followed by a match. The last sequence of a block has no match, and
// length 0.
type sequence struct {
	literals         uint32
	length, distance uint16
}

const (
	hashBits = 14

	// anchorBytes is the number of bytes that are hashed, and the minimum length of a match before
	// extension. A shorter match would hardly be shorter than its literals, whose codes are often
	// short.
	anchorBytes = 7

	// missesBits is the logarithm of the number of unsuccessful positions after which the finder
	// skips one more position each time.
	missesBits = 5
)

// finder finds repetitions at the most recent position with the same hash.
type finder struct {
	last      [1 << hashBits]uint16 // per hash, the lowest 16 bits of the last position
	sequences []sequence
}

// begin clears the hash table.
func (f *finder) begin() { f.last = [1 << hashBits]uint16{} }

func hash(word uint64) uint64 {
	return word << (64 - 8*anchorBytes) * 0x9e3779b97f4a7c15 >> (64 - hashBits)
}

// find finds the sequences of data from start to end. Matches may refer to data before start. The
// finder may read bytes behind end.
func (f *finder) find(data []byte, start, end int) {
	f.sequences = f.sequences[:0]
	literal := start // index of the first literal that is not yet in a sequence
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
		if at+wordBytes <= len(data) { // a match has at least anchorBytes
			for inside := at - anchorBytes; inside < at; inside++ {
				f.last[hash(binary.LittleEndian.Uint64(data[inside:]))] = uint16(inside)
			}
		}
	}
	f.sequences = append(f.sequences, sequence{literals: uint32(end - literal)})
}

// add adds a match. It splits a match that is too long, into matches of at least minMatch.
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

// matchLength returns the number of equal bytes. b is the shorter slice.
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
