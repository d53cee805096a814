package jpeg

// An Encoder keeps its tables and buffers from one picture to the next, so that none of them allocates. The zero
// value is ready. It must not be used by two goroutines at once; whoever has many keeps a pool of Encoders.
type Encoder struct {
	quality    int          // that the quantisers are for; 0 at first
	quantisers [2]quantiser // for luma and chroma

	luma   [4]block
	cb, cr block
	edge   [16 * 16 * 3]byte // a unit that reaches beyond the image
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
	w := bitWriter{out: e.appendHeader(dst, img, options.Subsampling)}
	e.writeScan(&w, img, options.Subsampling)
	w.finish()
	return append(w.out, 0xff, markerEnd), nil
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

// writeScan writes all units: squares of 16 pixels where chroma is halved, of 8 where it is not.
func (e *Encoder) writeScan(w *bitWriter, img *Image, subsampling Subsampling) {
	codes := &huffmanCodes
	luma := component{quantiser: &e.quantisers[0], dc: &codes.lumaDC, ac: &codes.lumaAC}
	cb := component{quantiser: &e.quantisers[1], dc: &codes.chromaDC, ac: &codes.chromaAC}
	cr := cb
	side := 8
	if img.Format == RGB && subsampling == Chroma420 {
		side = 16
	}
	for y := 0; y < img.Height; y += side {
		for x := 0; x < img.Width; x += side {
			pix, stride := e.unit(img, x, y, side)
			w.reserve(6)
			switch {
			case img.Format == Gray:
				loadGray(&e.luma[0], pix, stride)
				luma.writeBlock(w, &e.luma[0])
				continue
			case side == 8:
				loadRGB(&e.luma[0], &e.cb, &e.cr, pix, stride)
				luma.writeBlock(w, &e.luma[0])
			default:
				loadRGBHalved(&e.luma, &e.cb, &e.cr, pix, stride)
				for i := range e.luma {
					luma.writeBlock(w, &e.luma[i])
				}
			}
			cb.writeBlock(w, &e.cb)
			cr.writeBlock(w, &e.cr)
		}
	}
}

// unit returns the pixels of the square at x, y: in place, or where it reaches beyond the image, copied with the last
// column and row repeated.
func (e *Encoder) unit(img *Image, x, y, side int) (pix []byte, stride int) {
	bytesPerPixel := img.Format.bytesPerPixel()
	columns, height := min(side, img.Width-x), min(side, img.Height-y)
	if columns == side && height == side {
		return img.Pix[y*img.Stride+x*bytesPerPixel:], img.Stride
	}
	stride = side * bytesPerPixel
	for row := range side {
		out := e.edge[row*stride:][:stride]
		source := img.Pix[(y+min(row, height-1))*img.Stride+x*bytesPerPixel:]
		filled := copy(out, source[:columns*bytesPerPixel])
		for ; filled < stride; filled++ {
			out[filled] = out[filled-bytesPerPixel]
		}
	}
	return e.edge[:], stride
}
