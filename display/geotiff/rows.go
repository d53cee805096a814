package geotiff

import (
	"bytes"
	"encoding/binary"

	stored "tileserver/encode/rows"
)

// rows provides the samples of a TIFF image before compression.
type rows interface {
	// read writes n pixels starting at (x, y) to out: all samples of the plane. Remaining bits of
	// the last byte are zero.
	read(out []byte, plane, x, y, n int)
}

// bandRows provides the samples of an Image, and its alpha if it has one.
type bandRows struct {
	img     *Image
	alpha   []uint8 // nil if all pixels are fully covered
	fill    [16]byte
	samples int    // per pixel, including alpha
	chunky  bool   // samples of a pixel are adjacent
	scratch []byte // one row of one band, if chunky
}

var _ rows = (*bandRows)(nil)

func (r *bandRows) read(out []byte, plane, x, y, n int) {
	if !r.chunky {
		r.readBand(out, plane, x, y, n)
		return
	}
	size := r.img.Type.Size()
	for band := range r.samples {
		r.readBand(r.scratch, band, x, y, n)
		stored.Interleave(out[band*size:], r.scratch[:n*size], size, r.samples*size)
	}
}

// readBand writes samples of one band. The band after the last one is alpha.
func (r *bandRows) readBand(out []byte, band, x, y, n int) {
	at := y*r.img.Width + x
	if band == len(r.img.Bands) {
		r.readAlpha(out, at, n)
		return
	}
	size := r.img.Type.Size()
	out = out[:n*size]
	copy(out, r.img.Bands[band].Samples[at*size:])
	if coverage := r.img.coverage(band); coverage != nil {
		fillUncovered(out, coverage[at:at+n], r.fill[:size])
	}
}

// readAlpha writes coverage in the scale of the type.
func (r *bandRows) readAlpha(out []byte, at, n int) {
	size := r.img.Type.Size()
	switch {
	case r.alpha == nil:
		out = out[:n*size]
		for i := range out {
			out[i] = 255
		}
	case size == 1:
		copy(out, r.alpha[at:at+n])
	default:
		for i, covered := range r.alpha[at : at+n] {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(covered)*257)
		}
	}
}

// fillUncovered writes fill to samples without coverage.
func fillUncovered(samples []byte, coverage []uint8, fill []byte) {
	for from := 0; ; from++ {
		next := bytes.IndexByte(coverage[from:], 0)
		if next < 0 {
			return
		}
		from += next
		copy(samples[from*len(fill):], fill)
	}
}

// maskRows provides one bit per pixel, set where there is any coverage.
type maskRows struct {
	width  int
	planes [][]uint8
}

var _ rows = (*maskRows)(nil)

func (r *maskRows) read(out []byte, plane, x, y, n int) {
	clear(out)
	coverage := r.planes[plane]
	for i := range n {
		if coverage == nil || coverage[y*r.width+x+i] != 0 {
			out[i/8] |= 0x80 >> (i % 8)
		}
	}
}
