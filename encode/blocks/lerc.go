package blocks

import (
	"encoding/binary"
	"math"

	"tileserver/codec/lerc"
	lercencoder "tileserver/codec/lerc/encoder"
	"tileserver/raster"
)

// lercCompressor writes LERC streams as libtiff does: one band with all samples of a pixel. A pixel of NaN
// alone is stored as not valid, which libtiff reads as NaN. Other NaN are stored as they are; a band for
// each sample, which newer ones write, is not read by those before.
type lercCompressor struct {
	shape   *Shape
	encoder lercencoder.Encoder
	around  compressor // nil if there is no second compression
	stream  []byte
	valid   []uint8
}

var _ compressor = (*lercCompressor)(nil)

func newLERC(s *Shape, c *Coding) (*lercCompressor, error) {
	l := &lercCompressor{shape: s}
	if c.Around == "" {
		return l, nil
	}
	around := Coding{Compression: c.Around, Effort: c.Effort}
	var err error
	l.around, err = newCompressor(s, &around)
	return l, err
}

func (c *lercCompressor) append(dst, block []byte) ([]byte, error) {
	if c.around == nil {
		return c.appendStream(dst, block)
	}
	var err error
	if c.stream, err = c.appendStream(c.stream[:0], block); err != nil {
		return dst, err
	}
	return c.around.append(dst, c.stream)
}

// appendStream appends a block without a second compression.
func (c *lercCompressor) appendStream(dst, block []byte) ([]byte, error) {
	kind, _ := lerc.TypeOf(c.shape.Type)
	img := lercencoder.Image{Type: kind, Width: c.shape.Width, Height: c.shape.Height, Depth: c.shape.Samples, Samples: block}
	if c.shape.Type.IsFloat() && c.findNaN(block) {
		img.Valid = c.valid
	}
	return c.encoder.Append(dst, &img)
}

// findNaN sets the validity of the pixels, and reports whether all samples of those that are not valid,
// and no other ones, are NaN.
func (c *lercCompressor) findNaN(block []byte) bool {
	c.valid = c.valid[:0]
	for pixelBytes := c.shape.pixelBytes(); len(block) > 0; block = block[pixelBytes:] {
		switch countNaN(block[:pixelBytes], c.shape.Type) {
		case 0:
			c.valid = append(c.valid, 1)
		case c.shape.Samples:
			c.valid = append(c.valid, 0)
		default:
			return false
		}
	}
	return true
}

// countNaN returns how many floats of a pixel are NaN.
func countNaN(pixel []byte, t raster.DataType) (count int) {
	for size := t.Size(); len(pixel) > 0; pixel = pixel[size:] {
		var v float64
		if t == raster.Float32 {
			v = float64(math.Float32frombits(binary.LittleEndian.Uint32(pixel)))
		} else {
			v = math.Float64frombits(binary.LittleEndian.Uint64(pixel))
		}
		if v != v {
			count++
		}
	}
	return count
}
