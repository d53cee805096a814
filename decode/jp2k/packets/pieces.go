package packets

import (
	"math/bits"

	"tileserver/decode/jp2k/codestream"
)

// piece is the passes of a chunk that belong to one segment.
type piece struct {
	passes uint8
	length uint32
}

// maxPieces is the maximum number of pieces in a packet.
const maxPieces = 1 << 25

// maxLengthBits is the maximum number of bits of a piece's length.
const maxLengthBits = 31

// split splits the new passes of a code-block into pieces, and parses their lengths.
func (h *headerReader) split(s *blockState, style codestream.Style, passes int, c *contribution) bool {
	if s.segments == beforeHT || s.segments == beforeAny {
		return h.splitUnknown(s, style, passes)
	}
	c.continues = s.segments.continues(int(s.passes))
	return h.splitKnown(s, passes)
}

// splitKnown parses the lengths of a code-block whose segmentation is known.
func (h *headerReader) splitKnown(s *blockState, passes int) bool {
	for passes > 0 {
		n := min(passes, s.segments.remaining(int(s.passes)))
		length, ok := h.length(s, n)
		if !ok {
			return false
		}
		h.pieces = append(h.pieces, piece{uint8(n), uint32(length)})
		s.passes += uint8(n)
		passes -= n
	}
	return true
}

// splitUnknown parses the lengths of a code-block that may be of Part 15 and has had no bytes yet.
// Its passes so far are placeholders; three of them stand for a bit-plane above the first cleanup
// pass.
//
// Until that pass, the length has as many bits as for all new passes together. The length of the
// cleanup pass has fewer bits if refinements follow it. A nonzero length after those fewer bits
// means that the cleanup pass is present. If blocks of Part 1 are possible too, the length of such
// a block starts with a 1 bit.
func (h *headerReader) splitUnknown(s *blockState, style codestream.Style, passes int) bool {
	onlyHT := s.segments == beforeHT
	refinements := (int(s.passes) + passes - 1) % 3
	head := passes - refinements
	cleanup := head > 0
	if !cleanup {
		head = passes
	}
	length, ok := h.length(s, head)
	if !ok {
		return false
	}
	if cleanup && length > 0 && (onlyHT || length > 1 && s.lengthBits > 3 && length>>(s.lengthBits+log2(head)-1) == 0) {
		planes := int(s.missing) + (int(s.passes)+head-1)/3
		if length < 2 || planes > maxMissing {
			return false
		}
		s.segments, s.missing, s.passes = ht, uint8(planes), 1
		h.pieces = append(h.pieces, piece{1, uint32(length)})
		return h.splitKnown(s, refinements)
	}
	for range log2(passes) - log2(head) {
		length = length<<1 | int(h.bits.bit())
	}
	s.passes += uint8(passes)
	if length == 0 {
		return true
	}
	s.segments = ofPart1(style)
	h.pieces = append(h.pieces, piece{s.passes, uint32(length)})
	return !onlyHT
}

// length parses the length of the given number of passes.
func (h *headerReader) length(s *blockState, passes int) (int, bool) {
	n := s.lengthBits + log2(passes)
	if n > maxLengthBits {
		return 0, false
	}
	return h.bits.number(int(n)), true
}

// log2 returns the base-2 logarithm, rounded down.
func log2(n int) uint8 { return uint8(bits.Len(uint(n)) - 1) }
