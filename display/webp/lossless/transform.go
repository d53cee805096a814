package lossless

// The transforms by their numbers in the stream. A decoder undoes the last first.
const (
	predictorTransform = iota
	crossColourTransform
	subtractGreenTransform
	indexTransform
)

func (e *Encoder) writeTransform(transform uint32) {
	e.out.writeFlag(true)
	e.out.write(transform, 2)
}

// writePalette writes the colours and replaces pixels by numbers of them.
func (e *Encoder) writePalette(p *picture) {
	e.writeTransform(indexTransform)
	e.out.write(uint32(len(e.palette.colours)-1), 8)
	e.small = e.palette.deltas(e.small)
	e.writeSmall()
	p.numbers, p.packed = true, e.palette.bitsPerIndex() < 8
	p.pixels, p.width = e.palette.pack(p.pixels, p.width), e.palette.packedWidth(p.width)
}

// predict writes how pixels are predicted, and replaces them by their differences from that.
func (e *Encoder) predict(p *picture) {
	e.modes = sized(e.modes, p.blocks())
	e.liveliness = sized(e.liveliness, p.blocks())
	chooseModes(e.modes, e.liveliness, p.pixels, p.width, p.blockBits())
	e.writeTransform(predictorTransform)
	e.writeBlockBits(p.blockBits())
	e.small = e.small[:0]
	for _, m := range e.modes {
		e.small = append(e.small, opaque|pixel(m)<<8)
	}
	e.writeSmall()
	e.differences = sized(e.differences, len(p.pixels))
	predict(e.differences, p.pixels, p.width, e.modes, p.blockBits())
	p.pixels, p.predicted = e.differences, true
}

// mixColours takes from red and blue what follows from green and red, where they belong together so closely that it pays.
func (e *Encoder) mixColours(p *picture) {
	e.mixtures = sized(e.mixtures, p.blocks())
	if !chooseMixtures(e.mixtures, p.pixels, p.width, p.blockBits()) {
		return
	}
	e.writeTransform(crossColourTransform)
	e.writeBlockBits(p.blockBits())
	e.small = e.small[:0]
	for _, m := range e.mixtures {
		e.small = append(e.small, m.pixel())
	}
	e.writeSmall()
	mix(p.pixels, p.width, e.mixtures, p.blockBits())
}

// writeBlockBits writes the side of the blocks that a small image is about.
func (e *Encoder) writeBlockBits(blockBits int) { e.out.write(uint32(blockBits-2), 3) }

// writeSmall writes e.small, pixel by pixel.
func (e *Encoder) writeSmall() {
	e.out.writeFlag(false) // no cache
	e.single.histogram = histogram{}
	for _, p := range e.small {
		e.single.addPixel(p)
	}
	e.single.writeCodes(&e.codes, literals+lengthPrefixes)
	for _, p := range e.small {
		e.single.writePixel(&e.out, p)
	}
}
