package packets

import (
	"math/bits"

	"tileserver/decode/jp2k/codestream"
)

// piece is so many passes of a chunk that belong to one segment.
type piece struct {
	passes uint8
	length uint32
}

// mostPieces is how many a packet may have.
const mostPieces = 1 << 25

// mostLengthBits is how long the number of a piece's bytes may be.
const mostLengthBits = 31

// cut reads the lengths of the pieces that new passes of a block are cut into.
func (h *headerReader) cut(s *blockState, style codestream.Style, passes int, c *contribution) bool {
	if s.segments == beforeHT || s.segments == beforeAny {
		return h.begin(s, style, passes)
	}
	c.within = s.segments.within(int(s.passes))
	return h.goOn(s, passes)
}

// goOn reads the lengths where it is known how segments are cut.
func (h *headerReader) goOn(s *blockState, passes int) bool {
	for passes > 0 {
		n := min(passes, s.segments.room(int(s.passes)))
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

// begin reads the lengths of a block that may be of Part 15, and of which only passes without any bytes came until
// now. Such placeholders stand for bit-planes above the first cleanup pass: three passes for each.
//
// Until that pass comes, the length has as many bits as it would have for all new passes together; that of the cleanup pass
// has fewer where refinements follow it. A length that is not 0 after those fewer bits tells that the cleanup pass is there. Where blocks
// of Part 1 are possible too, those begin with a length whose highest bit is set.
func (h *headerReader) begin(s *blockState, style codestream.Style, passes int) bool {
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
		if length < 2 || planes > mostMissing {
			return false
		}
		s.segments, s.missing, s.passes = ht, uint8(planes), 1
		h.pieces = append(h.pieces, piece{1, uint32(length)})
		return h.goOn(s, refinements)
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

// length reads how many bytes so many passes have.
func (h *headerReader) length(s *blockState, passes int) (int, bool) {
	n := s.lengthBits + log2(passes)
	if n > mostLengthBits {
		return 0, false
	}
	return h.bits.number(int(n)), true
}

// log2 rounds down.
func log2(n int) uint8 { return uint8(bits.Len(uint(n)) - 1) }
