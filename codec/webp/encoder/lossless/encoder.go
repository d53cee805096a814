package lossless

import (
	"tileserver/codec/webp/vp8l"
	"tileserver/internal/reuse"
)

// Encoder encodes pictures and reuses its memory, so that it does not allocate in a steady state.
// The zero value is ready to use. It is not safe for concurrent use; callers keep a pool of
// encoders.
type Encoder struct {
	out      bitWriter
	source   []pixel
	filtered []byte // one row of filtered alpha samples

	// Memory of the transforms.
	palette     palette
	content     content
	modes       []mode
	activity    []uint32 // per block; see chooseModes
	mixtures    []mixture
	differences []pixel

	// Memory for coding the pixels.
	matcher   matcher
	cache     colorCache
	groups    groups
	codes     codeWriter
	auxiliary []pixel // pixels of the image that holds block parameters or colors
	single    codeGroup
}

// picture is the image after the transforms so far.
type picture struct {
	pixels    []pixel
	width     int
	isIndexed bool // palette indexes in the green channel
	packed    bool // several indexes per pixel
	predicted bool // differences from predictions
}

func (p *picture) blockBits() int { return blockBitsOf(p.width, len(p.pixels)/p.width) }

func (p *picture) blocks() int {
	bits := p.blockBits()
	return blocksAcross(p.width, bits) * blocksAcross(len(p.pixels)/p.width, bits)
}

// Encode appends the stream of img to dst, as content of a VP8L chunk. If it fails, it returns dst
// unchanged.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.Validate(); err != nil {
		return dst, err
	}
	e.source = reuse.Slice(e.source, img.Width*img.Height)
	load(e.source, img)
	e.start(dst)
	e.out.write(vp8l.Signature, 8)
	e.out.write(uint32(img.Width-1), maxSideBits)
	e.out.write(uint32(img.Height-1), maxSideBits)
	e.out.writeFlag(hasTransparency(e.source))
	e.out.write(0, 3) // version
	e.writeSource(img.Width)
	return e.finish(), nil
}

func (e *Encoder) start(dst []byte) {
	e.out = bitWriter{bytes: dst}
	e.codes.out = &e.out
}

func (e *Encoder) finish() []byte {
	e.out.flush()
	stream := e.out.bytes
	e.out.bytes = nil // drop the reference to the caller's memory
	return stream
}

// writeSource writes the transforms and pixels of e.source, which it modifies.
func (e *Encoder) writeSource(width int) {
	p := picture{pixels: e.source, width: width}
	if e.palette.collect(p.pixels) {
		e.writePalette(&p)
	}
	var how transforms
	if !p.packed {
		how = e.content.chooseTransforms(p.pixels, p.width, p.isIndexed)
	}
	if how.subtractGreen {
		e.writeTransform(vp8l.SubtractGreenTransform)
		subtractGreen(p.pixels)
	}
	if how.predict {
		e.predict(&p)
		if !p.isIndexed {
			e.mixColors(&p)
		}
	}
	e.out.writeFlag(false) // no more transforms
	e.writePixels(&p)
}
