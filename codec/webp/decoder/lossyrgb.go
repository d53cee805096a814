package decoder

import "tileserver/codec/webp/vp8"

// writeRGB writes the frame as rows of pixels of samples bytes, and sets the first three bytes of
// each. Chroma has half the resolution and is interpolated in both directions.
func (f *frame) writeRGB(dst []byte, width, height, samples int) {
	chromaRows := (height + 1) / 2
	for y := range height {
		near := y / 2
		far := min(max(near-1+y&1*2, 0), chromaRows-1) // the second nearest row of chroma
		w := rowWriter{
			dst: dst[y*width*samples:][:width*samples], samples: samples,
			luma:  f.y.samples[f.y.at(0, y):][:width],
			nearU: f.u.row(near, width), farU: f.u.row(far, width),
			nearV: f.v.row(near, width), farV: f.v.row(far, width),
		}
		w.write()
	}
}

// row returns the chroma samples of row y for a picture of the given width.
func (p *plane) row(y, width int) []uint8 { return p.samples[p.at(0, y):][:(width+1)/2] }

// rowWriter writes a row of pixels.
type rowWriter struct {
	dst         []byte
	samples     int
	luma        []uint8
	nearU, farU []uint8
	nearV, farV []uint8
}

func (w *rowWriter) write() {
	w.put(0, atEdge(w.nearU[0], w.farU[0]), atEdge(w.nearV[0], w.farV[0]))
	w.writePairsInGo(w.writePairs())
	if last := len(w.luma) - 1; last&1 == 1 {
		i := last / 2
		w.put(last, atEdge(w.nearU[i], w.farU[i]), atEdge(w.nearV[i], w.farV[i]))
	}
}

// writePairsInGo writes the pixels between chroma samples. It skips the first written ones, which
// writePairs has written.
func (w *rowWriter) writePairsInGo(written int) {
	for i := 1 + written/2; 2*i < len(w.luma); i++ {
		leftU, rightU := between(w.nearU[i-1], w.nearU[i], w.farU[i-1], w.farU[i])
		leftV, rightV := between(w.nearV[i-1], w.nearV[i], w.farV[i-1], w.farV[i])
		w.put(2*i-1, leftU, leftV)
		w.put(2*i, rightU, rightV)
	}
}

// atEdge returns the chroma of the first or the last pixel of a row.
func atEdge(near, far uint8) int32 { return (3*int32(near) + int32(far) + 2) >> 2 }

// between returns the chroma of the two pixels between two samples of the near row. The weights of
// the four neighbors are 9, 3, 3 and 1 in 16ths, rounded in two steps.
func between(nearLeft, nearRight, farLeft, farRight uint8) (left, right int32) {
	nl, nr, fl, fr := int32(nearLeft), int32(nearRight), int32(farLeft), int32(farRight)
	all := nl + nr + fl + fr + 8
	falling, rising := (all+2*(nr+fl))>>3, (all+2*(nl+fr))>>3
	return (falling + nl) >> 1, (rising + nr) >> 1
}

// put writes a pixel. The factors are those of BT.601 with limited range, in units of 2^-14.
func (w *rowWriter) put(x int, u, v int32) {
	y := int32(w.luma[x]) * 19077 >> 8
	to := w.dst[x*w.samples:][:3]
	to[0] = narrow(y + v*26149>>8 - 14234)
	to[1] = narrow(y - u*6419>>8 - v*13320>>8 + 8708)
	to[2] = narrow(y + u*33050>>8 - 17685)
}

// narrow drops six fraction bits.
func narrow(v int32) uint8 { return vp8.Clamp(v >> 6) }
