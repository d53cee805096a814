package lossless

import (
	"tileserver/codec/webp/vp8l"
	"tileserver/internal/reuse"
)

func (e *Encoder) writeTransform(transform uint32) {
	e.out.writeFlag(true)
	e.out.write(transform, 2)
}

// writePalette writes the colors and replaces pixels by palette indexes.
func (e *Encoder) writePalette(p *picture) {
	e.writeTransform(vp8l.ColorIndexTransform)
	e.out.write(uint32(len(e.palette.colors)-1), 8)
	e.auxiliary = e.palette.deltas(e.auxiliary)
	e.writeAuxiliary()
	p.isIndexed, p.packed = true, e.palette.bitsPerIndex() < 8
	p.pixels, p.width = e.palette.pack(p.pixels, p.width), e.palette.packedWidth(p.width)
}

// predict writes the predictor modes and replaces pixels by differences.
func (e *Encoder) predict(p *picture) {
	e.modes = reuse.Slice(e.modes, p.blocks())
	e.activity = reuse.Slice(e.activity, p.blocks())
	chooseModes(e.modes, e.activity, p.pixels, p.width, p.blockBits())
	e.writeTransform(vp8l.PredictorTransform)
	e.writeBlockBits(p.blockBits())
	e.auxiliary = e.auxiliary[:0]
	for _, m := range e.modes {
		e.auxiliary = append(e.auxiliary, opaque|pixel(m)<<8)
	}
	e.writeAuxiliary()
	e.differences = reuse.Slice(e.differences, len(p.pixels))
	predict(e.differences, p.pixels, p.width, e.modes, p.blockBits())
	p.pixels, p.predicted = e.differences, true
}

// mixColors subtracts shares of green and red from red and blue, if they correlate enough.
func (e *Encoder) mixColors(p *picture) {
	e.mixtures = reuse.Slice(e.mixtures, p.blocks())
	if !chooseMixtures(e.mixtures, p.pixels, p.width, p.blockBits()) {
		return
	}
	e.writeTransform(vp8l.CrossColorTransform)
	e.writeBlockBits(p.blockBits())
	e.auxiliary = e.auxiliary[:0]
	for _, m := range e.mixtures {
		e.auxiliary = append(e.auxiliary, m.pixel())
	}
	e.writeAuxiliary()
	mix(p.pixels, p.width, e.mixtures, p.blockBits())
}

// writeBlockBits writes the size of the blocks that an auxiliary image describes.
func (e *Encoder) writeBlockBits(blockBits int) { e.out.write(uint32(blockBits-2), 3) }

// writeAuxiliary writes e.auxiliary as literal pixels.
func (e *Encoder) writeAuxiliary() {
	e.out.writeFlag(false) // no cache
	e.single.histogram = histogram{}
	for _, p := range e.auxiliary {
		e.single.addPixel(p)
	}
	e.single.writeCodes(&e.codes, vp8l.Literals+vp8l.LengthPrefixes)
	for _, p := range e.auxiliary {
		e.single.writePixel(&e.out, p)
	}
}
