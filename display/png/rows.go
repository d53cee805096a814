package png

import "encoding/binary"

// rows gives the unfiltered bytes of an image row by row, as PNG wants them on the wire.
type rows struct {
	height        int
	rowBytes      int
	bytesPerPixel int // on the wire; the distance to the left neighbour for filters
	indexed       bool

	stride    int
	samples8  []byte
	samples16 []uint16 // used when not nil
}

func (img *Image) rows() rows {
	bytesPerPixel := img.Format.bytesPerPixel()
	return rows{
		height:        img.Height,
		rowBytes:      img.Width * bytesPerPixel,
		bytesPerPixel: bytesPerPixel,
		indexed:       img.Format == Paletted,
		stride:        img.Stride,
		samples8:      img.Pix,
	}
}

func (img *Gray16Image) rows() rows {
	return rows{
		height:        img.Height,
		rowBytes:      img.Width * 2,
		bytesPerPixel: 2,
		stride:        img.Stride,
		samples16:     img.Pix,
	}
}

// row returns row y: 8-bit samples in place, 16-bit samples as big-endian bytes in scratch, which must hold rowBytes.
func (r *rows) row(y int, scratch []byte) []byte {
	if r.samples16 == nil {
		return r.samples8[y*r.stride:][:r.rowBytes]
	}
	scratch = scratch[:r.rowBytes]
	for x, sample := range r.samples16[y*r.stride:][:r.rowBytes/2] {
		binary.BigEndian.PutUint16(scratch[2*x:], sample)
	}
	return scratch
}
