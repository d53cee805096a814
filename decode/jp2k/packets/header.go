package packets

import "tileserver/decode/jp2k/codestream"

// contribution is what a packet has of one code-block: pieces of one segment each, all of them in one chunk.
type contribution struct {
	band    uint8 // in the precinct
	within  bool  // the first piece goes on with the segment before
	ht      bool
	missing uint8
	block   int32 // in the band
	pieces  int32 // how many, and where they begin
	first   int32
	length  int64
}

// headerReader reads the headers of packets.
type headerReader struct {
	bits   bitReader
	found  []contribution
	pieces []piece
	idle   int // how many runs of blocks were passed over without a bit for them
}

// mostIdle bounds what headers cost that say nothing: a few bits may leave out millions of code-blocks, layer after layer. It
// is that for half of all that a tile may have, in some forty layers.
const mostIdle = 1 << 26

// mostMissing is how many bit-planes a code-block may lack: more than there can be.
const mostMissing = 127

// read reads a header from where the bits are, and finds what the packet has of each code-block. It returns false
// where the header makes no sense.
func (h *headerReader) read(p *precinctState, layer int) bool {
	h.found, h.pieces = h.found[:0], h.pieces[:0]
	if h.bits.bit() == 1 {
		p.told = true
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
			if s.segments == unseen {
				absent, ok := h.begins(b, s, column, row, layer)
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
		if h.bits.ended || len(h.pieces) > mostPieces {
			return false
		}
	}
	return true
}

// begins begins a block if the packet has the first of it. Else it tells how many blocks of the row from this one on the packet
// has nothing of, for the same reason: none of them has begun.
func (h *headerReader) begins(b *bandState, s *blockState, column, row, layer int) (absent int, ok bool) {
	if _, height, included := b.inclusion.below(&h.bits, column, row, uint16(layer+1)); !included {
		if height > 0 {
			h.idle++
		}
		return (column>>height+1)<<height - column, true
	}
	missing, _, ok := b.missing.below(&h.bits, column, row, mostMissing+1)
	*s = blockState{segments: b.begin, lengthBits: 3, missing: uint8(missing)}
	return 0, ok
}

// contribution reads what the packet has of a block that takes part in it.
func (h *headerReader) contribution(s *blockState, style codestream.Style, band, block int) bool {
	passes := h.passes()
	for h.bits.bit() == 1 {
		if s.lengthBits++; s.lengthBits > mostLengthBits {
			return false
		}
	}
	if int(s.passes)+passes > mostPasses {
		return false
	}
	c := contribution{band: uint8(band), block: int32(block), first: int32(len(h.pieces))}
	if !h.cut(s, style, passes, &c) {
		return false
	}
	if c.pieces = int32(len(h.pieces)) - c.first; c.pieces == 0 {
		return true
	}
	for _, p := range h.pieces[c.first:] {
		c.length += int64(p.length)
	}
	c.ht, c.missing = s.segments == ht, s.missing
	h.found = append(h.found, c)
	return true
}

// passes reads how many passes there are.
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
