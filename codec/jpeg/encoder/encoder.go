package encoder

import "tileserver/codec/jpeg"

// Encoder encodes pictures and reuses its tables and buffers, so that it does not allocate in a
// steady state. The zero value is ready to use. It is not safe for concurrent use; callers keep a
// pool of encoders.
type Encoder struct {
	quality    int          // quality of the quantizers; 0 at first
	quantizers [2]quantizer // for luma and chroma

	strip strip
	bits  bitWriter
}

// Encode appends img as a JPEG file to dst, or as an abbreviated stream. If it fails, it returns dst
// unchanged.
func (e *Encoder) Encode(dst []byte, img *Image, options Options) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	if err := options.validate(); err != nil {
		return dst, err
	}
	e.setQuality(options.Quality)
	out := e.appendHeader(dst, img, &options)
	out = e.appendScan(out, img, options.Subsampling)
	return append(out, 0xff, byte(jpeg.MarkerEnd)), nil
}

func (e *Encoder) setQuality(quality int) {
	if quality == 0 {
		quality = DefaultQuality
	}
	if e.quality == quality {
		return
	}
	e.quality = quality
	e.quantizers[0].set(&lumaSteps, quality)
	e.quantizers[1].set(&chromaSteps, quality)
}

// appendScan appends the entropy-coded data, one strip after the other.
func (e *Encoder) appendScan(out []byte, img *Image, subsampling Subsampling) []byte {
	strip := &e.strip
	strip.shape(img, subsampling)
	luma := component{codes: &lumaCodes}
	cb, cr := component{codes: &chromaCodes}, component{codes: &chromaCodes}
	e.bits.reset(strip.units * strip.blocksPerUnit())
	for y := 0; y < img.Height; y += strip.side {
		strip.load(img, y)
		strip.transform(&e.quantizers)
		e.writeStrip(&luma, &cb, &cr)
		out = e.bits.appendWhole(out)
	}
	strip.samples = nil // drop the reference to the caller's memory
	return e.bits.appendRest(out)
}

// writeStrip codes the blocks of a strip in stream order, unit by unit.
func (e *Encoder) writeStrip(luma, cb, cr *component) {
	strip, bits := &e.strip, &e.bits
	if len(strip.cbBlocks) == 0 {
		luma.write(bits, strip.lumaBlocks)
		return
	}
	across := strip.side / jpeg.BlockSide // luma blocks per row of a unit
	for unit := range strip.units {
		for row := range across {
			luma.write(bits, strip.lumaBlocks[(row*strip.units+unit)*across:][:across])
		}
		cb.write(bits, strip.cbBlocks[unit:][:1])
		cr.write(bits, strip.crBlocks[unit:][:1])
	}
}
