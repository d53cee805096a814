package jpeg

// An Encoder keeps its tables and buffers from one picture to the next, so that none of them allocates. The zero
// value is ready. It must not be used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	quality    int          // that the quantisers are for; 0 at first
	quantisers [2]quantiser // for luma and chroma

	strip strip
	bits  bitWriter
}

// Encode appends img as a JPEG file to dst. On an error it returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image, options Options) ([]byte, error) {
	if err := img.validate(); err != nil {
		return dst, err
	}
	if err := options.validate(); err != nil {
		return dst, err
	}
	e.setQuality(options.Quality)
	out := e.appendHeader(dst, img, options.Subsampling)
	out = e.appendScan(out, img, options.Subsampling)
	return append(out, 0xff, markerEnd), nil
}

func (e *Encoder) setQuality(quality int) {
	if quality == 0 {
		quality = DefaultQuality
	}
	if e.quality == quality {
		return
	}
	e.quality = quality
	e.quantisers[0].set(&lumaSteps, quality)
	e.quantisers[1].set(&chromaSteps, quality)
}

// appendScan appends the entropy-coded data, strip after strip.
func (e *Encoder) appendScan(out []byte, img *Image, subsampling Subsampling) []byte {
	strip := &e.strip
	strip.shape(img, subsampling)
	luma := component{codes: &lumaCodes}
	cb, cr := component{codes: &chromaCodes}, component{codes: &chromaCodes}
	e.bits.reset(strip.units * strip.blocksPerUnit())
	for y := 0; y < img.Height; y += strip.side {
		strip.load(img, y)
		strip.transform(&e.quantisers)
		e.writeStrip(&luma, &cb, &cr)
		out = e.bits.appendWhole(out)
	}
	strip.samples = nil // what is the caller's is not kept
	return e.bits.appendRest(out)
}

// writeStrip codes the blocks of a strip in the order of the stream: those of a unit together.
func (e *Encoder) writeStrip(luma, cb, cr *component) {
	strip, bits := &e.strip, &e.bits
	if len(strip.cbBlocks) == 0 {
		luma.write(bits, strip.lumaBlocks)
		return
	}
	across := strip.side / blockSide // luma blocks of a unit
	for unit := range strip.units {
		for row := range across {
			luma.write(bits, strip.lumaBlocks[(row*strip.units+unit)*across:][:across])
		}
		cb.write(bits, strip.cbBlocks[unit:][:1])
		cr.write(bits, strip.crBlocks[unit:][:1])
	}
}
