package ccitt

import "encoding/binary"

// painter converts changes to rows of bits. A bit is set where a pixel differs from its left
// neighbor. All bits are zero between rows.
type painter []uint64

// resized returns a painter for the given width, with room for the change behind the last pixel.
func (p painter) resized(width int) painter {
	if need := width/64 + 1; len(p) < need {
		p = make(painter, need)
	}
	return p
}

// paint writes a row. Each change flips the rest of its word. The last pixel of a word decides
// whether the next word is flipped.
func (p painter) paint(row []byte, changes []int32, width int) {
	if len(changes) == 0 {
		clear(row)
		return
	}
	for _, at := range changes {
		p[at>>6] ^= ^uint64(0) >> (at & 63)
	}
	if len(changes)&1 == 1 {
		p[width>>6] ^= ^uint64(0) >> (width & 63)
	}
	flip := uint64(0)
	whole := len(row) / 8
	for i, word := range p[:whole] {
		word ^= flip
		flip = -(word & 1)
		p[i] = 0
		binary.BigEndian.PutUint64(row[8*i:], word)
	}
	last := p[whole : width/64+1]
	for i := range row[8*whole:] {
		row[8*whole+i] = byte((last[0] ^ flip) >> (56 - 8*i))
	}
	clear(last)
}
