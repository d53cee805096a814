package lossless

import "slices"

// signature begins a stream that stands by itself.
const signature = 0x2f

// An Encoder keeps its memory from one picture to the next, so that none of them allocates. The zero value is ready. It
// must not be used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	out      bitWriter
	source   []pixel
	filtered []byte // a row of opacities

	// what the transforms need
	palette     palette
	content     content
	modes       []mode
	liveliness  []uint32 // of blocks, see chooseModes
	mixtures    []mixture
	differences []pixel

	// what the writing of pixels needs
	matcher matcher
	cache   colourCache
	groups  groups
	codes   codeWriter
	small   []pixel // of an image that says something about blocks or colours
	single  codeGroup
}

// picture is an image as the transforms so far have left it.
type picture struct {
	pixels    []pixel
	width     int
	numbers   bool // of colours, in green alone
	packed    bool // several numbers in one
	predicted bool // differences from predictions
}

func (p *picture) blockBits() int { return blockBitsOf(p.width, len(p.pixels)/p.width) }

func (p *picture) blocks() int {
	bits := p.blockBits()
	return blocksAcross(p.width, bits) * blocksAcross(len(p.pixels)/p.width, bits)
}

// Encode appends the stream of img to dst, as a chunk VP8L holds it. On an error it returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image) ([]byte, error) {
	if err := img.Validate(); err != nil {
		return dst, err
	}
	e.source = sized(e.source, img.Width*img.Height)
	load(e.source, img)
	e.start(dst)
	e.out.write(signature, 8)
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
	e.out.bytes = nil // what is the caller's is not kept
	return stream
}

// writeSource writes e.source, which it changes: how it is transformed, and what is left of it.
func (e *Encoder) writeSource(width int) {
	p := picture{pixels: e.source, width: width}
	if e.palette.collect(p.pixels) {
		e.writePalette(&p)
	}
	var how treatment
	if !p.packed {
		how = e.content.treat(p.pixels, p.width, p.numbers)
	}
	if how.subtractGreen {
		e.writeTransform(subtractGreenTransform)
		subtractGreen(p.pixels)
	}
	if how.predict {
		e.predict(&p)
		if !p.numbers {
			e.mixColours(&p)
		}
	}
	e.out.writeFlag(false) // no more transforms
	e.writePixels(&p)
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized[T any](buffer []T, length int) []T {
	return slices.Grow(buffer[:0], length)[:length]
}
