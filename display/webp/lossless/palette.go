package lossless

import (
	"cmp"
	"slices"
)

const (
	maxColours  = 256
	slotBits    = 10 // four slots a colour, so that looking one up seldom takes a second step
	slots       = 1 << slotBits
	goldenRatio = 0x9e3779b1
)

// palette finds the colours of an image as long as they are few, and their numbers.
type palette struct {
	colours []pixel
	keys    [slots]pixel
	numbers [slots]uint16 // one more than the place in colours; 0 where the slot is free
}

// collect reports whether the pixels have at most 256 colours, which it sorts then.
func (p *palette) collect(pixels []pixel) bool {
	p.colours = p.colours[:0]
	clear(p.numbers[:])
	last := ^pixels[0]
	for _, colour := range pixels {
		if colour == last {
			continue
		}
		last = colour
		slot := p.slot(colour)
		if p.numbers[slot] != 0 {
			continue
		}
		if len(p.colours) == maxColours {
			return false
		}
		p.colours = append(p.colours, colour)
		p.keys[slot], p.numbers[slot] = colour, 1
	}
	p.sort()
	return true
}

// slot returns where a colour is, or where it would have to be.
func (p *palette) slot(colour pixel) uint32 {
	slot := colour * goldenRatio >> (32 - slotBits)
	for p.numbers[slot] != 0 && p.keys[slot] != colour {
		slot = (slot + 1) % slots
	}
	return slot
}

// sort puts colours that look alike side by side: dark before bright, so that numbers rise and fall as the picture does.
func (p *palette) sort() {
	slices.SortFunc(p.colours, func(a, b pixel) int {
		return cmp.Or(cmp.Compare(brightness(a), brightness(b)), cmp.Compare(a, b))
	})
	for i, colour := range p.colours {
		p.numbers[p.slot(colour)] = uint16(i + 1)
	}
}

func brightness(p pixel) uint32 { return p>>24<<10 + p>>16&0xff*2 + p>>8&0xff*4 + p&0xff }

// bitsPerIndex is how many bits of a packed pixel a number takes.
func (p *palette) bitsPerIndex() int {
	switch colours := len(p.colours); {
	case colours <= 2:
		return 1
	case colours <= 4:
		return 2
	case colours <= 16:
		return 4
	}
	return 8
}

// packedWidth is the width of an image of numbers that stand for width pixels a row.
func (p *palette) packedWidth(width int) int {
	perPixel := 8 / p.bitsPerIndex()
	return (width + perPixel - 1) / perPixel
}

// pack replaces pixels by their numbers, as many of a row in one as there is room for, and returns the part of pixels
// that these take.
func (p *palette) pack(pixels []pixel, width int) []pixel {
	bits := p.bitsPerIndex()
	packed := 0
	for start := 0; start < len(pixels); start += width {
		packed += p.packRow(pixels[packed:], pixels[start:][:width], bits)
	}
	return pixels[:packed]
}

// packRow may write to where row lies, for it writes no more than it has read.
func (p *palette) packRow(to, row []pixel, bits int) (packed int) {
	last, number := row[0], p.number(row[0])
	var green pixel
	filled := 0
	for _, colour := range row {
		if colour != last {
			last, number = colour, p.number(colour)
		}
		green |= number << filled
		if filled += bits; filled == 8 {
			to[packed] = opaque | green<<8
			packed++
			green, filled = 0, 0
		}
	}
	if filled > 0 {
		to[packed] = opaque | green<<8
		packed++
	}
	return packed
}

func (p *palette) number(colour pixel) pixel { return pixel(p.numbers[p.slot(colour)] - 1) }

// deltas writes every colour but the first as its difference from the one before, as the stream holds them.
func (p *palette) deltas(to []pixel) []pixel {
	to = append(to[:0], p.colours...)
	for i := len(to) - 1; i > 0; i-- {
		to[i] = subtract(to[i], to[i-1])
	}
	return to
}
