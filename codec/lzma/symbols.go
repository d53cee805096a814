package lzma

import (
	"encoding/binary"
	"fmt"
)

// The state summarizes the kinds of the last few symbols. These tables hold the next state for each
// kind of symbol.
var (
	afterLiteral = [states]uint32{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5}
	afterMatch   = [states]uint32{7, 7, 7, 7, 7, 7, 7, 10, 10, 10, 10, 10}
	afterRepeat  = [states]uint32{8, 8, 8, 8, 8, 8, 8, 11, 11, 11, 11, 11}
	afterShort   = [states]uint32{9, 9, 9, 9, 9, 9, 9, 11, 11, 11, 11, 11}
)

// decode decodes a chunk at the start of src. It may read bytes behind the chunk, but they do not
// affect the result.
func (m *model) decode(h *history, src []byte, storedBytes, decodedBytes int) error {
	if storedBytes < rangeHeadBytes || src[0] != 0 {
		return fmt.Errorf("start of an LZMA chunk: %w", ErrCorrupt)
	}
	r := rangeDecoder{pos: rangeHeadBytes, span: 1<<32 - 1, code: binary.BigEndian.Uint32(src[1:])}
	tooLong := decodedBytes > len(h.dst)-h.n
	if tooLong {
		decodedBytes = len(h.dst) - h.n
	}
	r, err := m.symbols(h, src, r, storedBytes, h.n+decodedBytes)
	if tooLong && h.n == len(h.dst) {
		return ErrTooLong
	}
	if err != nil {
		return err
	}
	r = r.normalize(src)
	if r.pos != storedBytes || r.code != 0 {
		return fmt.Errorf("end of an LZMA chunk: %w", ErrCorrupt)
	}
	return nil
}

// symbols decodes literals and matches until dst is filled up to end. A symbol reads at most
// maxSymbolBytes, so one check per symbol for the end of the chunk suffices.
func (m *model) symbols(h *history, src []byte, r rangeDecoder, storedBytes, end int) (rangeDecoder, error) {
	dst, n, start := h.dst[:end], h.n, h.start
	state, last := m.state, m.last
	var b uint32
	for n < end && r.pos <= storedBytes {
		offset := n - start
		position := uint(offset&m.positionMask) % maxPositionStates
		r = r.normalize(src)
		r, b = r.branchingBit(&m.isMatch[state%states][position])
		if b == 0 {
			previous := byte(0)
			if offset > 0 {
				previous = dst[n-1]
			}
			p := m.literalsAt(offset, previous)
			if state < firstMatchState {
				r, dst[n] = r.literal(src, p)
			} else {
				r, dst[n] = r.literalAfterMatch(src, p, dst[n-int(last[0])-1])
			}
			n++
			state = afterLiteral[state%states]
			continue
		}

		length := uint32(1)
		r = r.normalize(src)
		r, b = r.branchingBit(&m.isRepeat[state%states])
		if b == 0 {
			last[3], last[2], last[1] = last[2], last[1], last[0]
			r, length = m.lengths.decode(r, src, position)
			r, last[0] = m.distance(r, src, length)
			state = afterMatch[state%states]
		} else if r, b = m.repeated(r, src, state%states, position, &last); b == 0 {
			state = afterShort[state%states]
		} else {
			r, length = m.repeatLengths.decode(r, src, position)
			state = afterRepeat[state%states]
		}
		if uint64(last[0]) >= min(uint64(offset), h.dictionary) {
			h.n = n
			return r, fmt.Errorf("match at distance %d of %d bytes: %w", uint64(last[0])+1, offset, ErrCorrupt)
		}
		fitting := min(int(length), end-n)
		copyMatch(dst, n, int(last[0])+1, fitting)
		n += fitting
		if fitting < int(length) {
			h.n = n
			return r, fmt.Errorf("match beyond the end of its chunk: %w", ErrCorrupt)
		}
	}
	h.n, m.state, m.last = n, state, last
	return r, nil
}

// literalsAt returns the probabilities of a literal, which depend on its offset and on the previous
// byte.
func (m *model) literalsAt(offset int, previous byte) *[literalSize]probability {
	context := (offset&m.literalPositionMask)<<m.literalContextBits + int(previous)>>(8-m.literalContextBits)
	return &m.literals[context%len(m.literals)]
}

// repeated decodes which of the last distances repeats, and moves it to the front. It returns 1 if
// a length follows.
func (m *model) repeated(r rangeDecoder, src []byte, state uint32, position uint, last *[4]uint32) (rangeDecoder, uint32) {
	var b uint32
	r = r.normalize(src)
	if r, b = r.branchingBit(&m.isRepeat1[state]); b == 0 {
		r = r.normalize(src)
		return r.branchingBit(&m.isLong[state][position])
	}
	r = r.normalize(src)
	if r, b = r.branchingBit(&m.isRepeat2[state]); b == 0 {
		last[0], last[1] = last[1], last[0]
		return r, 1
	}
	r = r.normalize(src)
	if r, b = r.branchingBit(&m.isRepeat3[state]); b == 0 {
		last[0], last[1], last[2] = last[2], last[0], last[1]
		return r, 1
	}
	last[0], last[1], last[2], last[3] = last[3], last[0], last[1], last[2]
	return r, 1
}

// decode decodes a length: eight short and eight medium lengths, which depend on the position, and
// all others.
func (l *lengthModel) decode(r rangeDecoder, src []byte, position uint) (rangeDecoder, uint32) {
	var b, length uint32
	r = r.normalize(src)
	if r, b = r.branchingBit(&l.choice[0]); b == 0 {
		r, length = r.tree(src, l.low[position][:], 3)
		return r, minMatchBytes + length
	}
	r = r.normalize(src)
	if r, b = r.branchingBit(&l.choice[1]); b == 0 {
		r, length = r.tree(src, l.middle[position][:], 3)
		return r, minMatchBytes + 8 + length
	}
	r, length = r.tree(src, l.high[:], 8)
	return r, minMatchBytes + 16 + length
}

// distance decodes a distance, minus one. A slot holds its highest two bits and the number of the
// other bits. The lowest bits have adaptive probabilities; the bits between have even ones.
func (m *model) distance(r rangeDecoder, src []byte, length uint32) (rangeDecoder, uint32) {
	const (
		firstSlotWithBits    = 4
		firstSlotWithAligned = 14
		alignedBits          = 4
	)
	var slot, low uint32
	r, slot = r.tree(src, m.slots[min(length-minMatchBytes, 3)][:], 6)
	if slot < firstSlotWithBits {
		return r, slot
	}
	bits := int(slot>>1 - 1)
	distance := (2 | slot&1) << bits
	if slot < firstSlotWithAligned {
		r, low = r.reverseTree(src, m.distances[distance-slot:], bits)
		return r, distance + low
	}
	r, low = r.direct(src, bits-alignedBits)
	distance += low << alignedBits
	r, low = r.reverseTree(src, m.align[:], alignedBits)
	return r, distance + low
}

// copyMatch copies length bytes from distance bytes before n. For overlapping ranges, it doubles
// the copied length each time.
func copyMatch(dst []byte, n, distance, length int) {
	from, end := n-distance, n+length
	for n < end {
		n += copy(dst[n:end], dst[from:n])
	}
}
