package lossless

import (
	"cmp"
	"slices"
)

const (
	maxColors   = 256
	slotBits    = 10 // four slots per color, so that most lookups take one step
	slots       = 1 << slotBits
	goldenRatio = 0x9e3779b1
)

// palette collects the colors of an image with few colors, and maps them to indexes.
type palette struct {
	colors  []pixel
	keys    [slots]pixel
	numbers [slots]uint16 // index in colors plus one; 0 for a free slot
}

// collect reports whether the pixels have at most 256 colors. If so, it sorts the colors.
func (p *palette) collect(pixels []pixel) bool {
	p.colors = p.colors[:0]
	clear(p.numbers[:])
	last := ^pixels[0]
	for _, color := range pixels {
		if color == last {
			continue
		}
		last = color
		slot := p.slot(color)
		if p.numbers[slot] != 0 {
			continue
		}
		if len(p.colors) == maxColors {
			return false
		}
		p.colors = append(p.colors, color)
		p.keys[slot], p.numbers[slot] = color, 1
	}
	p.sort()
	return true
}

// slot returns the slot of a color, or the free slot where it belongs.
func (p *palette) slot(color pixel) uint32 {
	slot := color * goldenRatio >> (32 - slotBits)
	for p.numbers[slot] != 0 && p.keys[slot] != color {
		slot = (slot + 1) % slots
	}
	return slot
}

// sort sorts colors from dark to bright. Similar colors get similar indexes, so that indexes rise
// and fall as the picture does.
func (p *palette) sort() {
	slices.SortFunc(p.colors, func(a, b pixel) int {
		return cmp.Or(cmp.Compare(brightness(a), brightness(b)), cmp.Compare(a, b))
	})
	for i, color := range p.colors {
		p.numbers[p.slot(color)] = uint16(i + 1)
	}
}

func brightness(p pixel) uint32 { return p>>24<<10 + p>>16&0xff*2 + p>>8&0xff*4 + p&0xff }

// bitsPerIndex returns the bits per index in a packed pixel.
func (p *palette) bitsPerIndex() int {
	switch colors := len(p.colors); {
	case colors <= 2:
		return 1
	case colors <= 4:
		return 2
	case colors <= 16:
		return 4
	}
	return 8
}

// packedWidth returns the number of packed pixels for a row of width pixels.
func (p *palette) packedWidth(width int) int {
	perPixel := 8 / p.bitsPerIndex()
	return (width + perPixel - 1) / perPixel
}

// pack replaces pixels by packed indexes in place, and returns the part of pixels that they take.
func (p *palette) pack(pixels []pixel, width int) []pixel {
	bits := p.bitsPerIndex()
	packed := 0
	for start := 0; start < len(pixels); start += width {
		packed += p.packRow(pixels[packed:], pixels[start:][:width], bits)
	}
	return pixels[:packed]
}

// packRow packs one row. to may overlap row, because it never writes ahead of its reading.
func (p *palette) packRow(to, row []pixel, bits int) (packed int) {
	last, number := row[0], p.number(row[0])
	var green pixel
	filled := 0
	for _, color := range row {
		if color != last {
			last, number = color, p.number(color)
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

func (p *palette) number(color pixel) pixel { return pixel(p.numbers[p.slot(color)] - 1) }

// deltas returns the colors, each but the first as the difference from the previous one.
func (p *palette) deltas(to []pixel) []pixel {
	to = append(to[:0], p.colors...)
	for i := len(to) - 1; i > 0; i-- {
		to[i] = subtract(to[i], to[i-1])
	}
	return to
}
