package packets

import "tileserver/decode/jp2k/codestream"

// contribution is what a packet holds of one code-block: one chunk of pieces, each of another
// segment.
type contribution struct {
	band      uint8 // index in the precinct
	continues bool  // the first piece continues the segment before it
	ht        bool
	missing   uint8
	block     int32 // index in the band
	pieces    int32 // number of pieces, and index of the first
	first     int32
	length    int64
}

// headerReader parses the headers of packets.
type headerReader struct {
	bits          bitReader
	contributions []contribution
	pieces        []piece
	idle          int // tag tree queries that skipped several code-blocks at once
}

// maxIdle limits the cost of headers that say nothing. A few bits may skip millions of code-blocks,
// layer after layer. The limit suffices for half of the code-blocks that a tile may have, in some
// forty layers.
const maxIdle = 1 << 26

// maxMissing is the maximum number of missing bit-planes, above any possible one.
const maxMissing = 127

// read parses a header from the position of bits, and collects the contributions of the packet. It
// returns false if the header is invalid.
func (h *headerReader) read(p *precinctState, layer int) bool {
	h.contributions, h.pieces = h.contributions[:0], h.pieces[:0]
	if h.bits.bit() == 1 {
		p.hasContent = true
		for b := range p.bands[:p.count] {
			if !h.band(p, b, layer) {
				return false
			}
		}
	}
	h.bits.end()
	return !h.bits.ended
}

func (h *headerReader) band(p *precinctState, band, layer int) bool {
	b := &p.bands[band]
	width := b.rect.Width()
	for row := range b.rect.Height() {
		for column := 0; column < width; column++ {
			i := row*width + column
			s := &b.blocks[i]
			if s.segments == notStarted {
				absent, ok := h.begin(b, s, column, row, layer)
				if !ok {
					return false
				}
				if absent > 0 {
					column += absent - 1
					continue
				}
			} else if h.bits.bit() == 0 {
				continue
			}
			if !h.contribution(s, p.style, band, i) {
				return false
			}
		}
		if h.bits.ended || len(h.pieces) > maxPieces {
			return false
		}
	}
	return true
}

// begin starts a code-block if the packet holds its first contribution. Otherwise it returns the
// number of code-blocks, from this one on, that the same node of the tag tree excludes. None of
// these has started.
func (h *headerReader) begin(b *bandState, s *blockState, column, row, layer int) (absent int, ok bool) {
	if _, height, included := b.inclusion.below(&h.bits, column, row, uint16(layer+1)); !included {
		if height > 0 {
			h.idle++
		}
		return (column>>height+1)<<height - column, true
	}
	missing, _, ok := b.missing.below(&h.bits, column, row, maxMissing+1)
	*s = blockState{segments: b.begin, lengthBits: 3, missing: uint8(missing)}
	return 0, ok
}

// contribution parses what the packet holds of a code-block.
func (h *headerReader) contribution(s *blockState, style codestream.Style, band, block int) bool {
	passes := h.passes()
	for h.bits.bit() == 1 {
		if s.lengthBits++; s.lengthBits > maxLengthBits {
			return false
		}
	}
	if int(s.passes)+passes > maxPasses {
		return false
	}
	c := contribution{band: uint8(band), block: int32(block), first: int32(len(h.pieces))}
	if !h.split(s, style, passes, &c) {
		return false
	}
	if c.pieces = int32(len(h.pieces)) - c.first; c.pieces == 0 {
		return true
	}
	for _, p := range h.pieces[c.first:] {
		c.length += int64(p.length)
	}
	c.ht, c.missing = s.segments == ht, s.missing
	h.contributions = append(h.contributions, c)
	return true
}

// passes parses the number of passes.
func (h *headerReader) passes() int {
	b := &h.bits
	if b.bit() == 0 {
		return 1
	}
	if b.bit() == 0 {
		return 2
	}
	if n := b.number(2); n < 3 {
		return 3 + n
	}
	if n := b.number(5); n < 31 {
		return 6 + n
	}
	return 37 + b.number(7)
}
