package encoder

import (
	"tileserver/codec/jpeg"
	"tileserver/internal/reuse"
)

// strip is one row of units. A unit is 16 pixels a side with 4:2:0 chroma, otherwise 8. The strip
// holds its samples as planes, and the blocks computed from them.
type strip struct {
	side  int // side of a unit in pixels
	units int

	luma, cb, cr                   []uint8
	lumaBlocks, cbBlocks, crBlocks []block // by rows; no chroma for gray

	samples []uint8 // the luma plane, or the gray pixels of the image
	stride  int     // of samples; the stride of chroma is 8 per unit

	padded [2][]byte // two rows of pixels, padded with the last pixel to whole units
}

// shape prepares the strip for an image.
func (s *strip) shape(img *Image, subsampling Subsampling) {
	s.side = jpeg.BlockSide
	if img.Format == RGB && subsampling == Chroma420 {
		s.side = 2 * jpeg.BlockSide
	}
	s.units = (img.Width + s.side - 1) / s.side
	s.luma = reuse.Slice(s.luma, s.units*s.side*s.side)
	s.lumaBlocks = reuse.Slice(s.lumaBlocks, s.units*(s.side/jpeg.BlockSide)*(s.side/jpeg.BlockSide))
	chroma := s.units
	if img.Format == Gray {
		chroma = 0
	}
	s.cb, s.cr = reuse.Slice(s.cb, chroma*jpeg.BlockSize), reuse.Slice(s.cr, chroma*jpeg.BlockSize)
	s.cbBlocks, s.crBlocks = reuse.Slice(s.cbBlocks, chroma), reuse.Slice(s.crBlocks, chroma)
	for i := range s.padded {
		s.padded[i] = reuse.Slice(s.padded[i], s.units*s.side*img.Format.bytesPerPixel())
	}
}

func (s *strip) blocksPerUnit() int {
	return (len(s.lumaBlocks) + len(s.cbBlocks) + len(s.crBlocks)) / s.units
}

// load fills the planes from the pixels, starting at row y. It repeats the last row below the
// image.
func (s *strip) load(img *Image, y int) {
	s.samples, s.stride = s.luma, s.units*s.side
	half := s.units * jpeg.BlockSide
	switch {
	case img.Format == Gray && y+jpeg.BlockSide <= img.Height && s.stride == img.Width:
		s.samples, s.stride = img.Pix[y*img.Stride:], img.Stride
	case img.Format == Gray:
		for row := range jpeg.BlockSide {
			copy(s.luma[row*s.stride:][:s.stride], s.row(img, y+row))
		}
	case s.side == jpeg.BlockSide:
		for row := range jpeg.BlockSide {
			at := row * s.stride
			convertRow(s.luma[at:][:s.stride], s.cb[at:][:s.stride], s.cr[at:][:s.stride], s.row(img, y+row))
		}
	default:
		for row := range jpeg.BlockSide {
			above, below := s.luma[2*row*s.stride:][:s.stride], s.luma[(2*row+1)*s.stride:][:s.stride]
			cb, cr := s.cb[row*half:][:half], s.cr[row*half:][:half]
			convertRows(above, below, cb, cr, s.row(img, y+2*row), s.row(img, y+2*row+1))
		}
	}
}

// row returns the pixels of row y, padded to whole units. The result is valid until two rows later.
func (s *strip) row(img *Image, y int) []byte {
	bytesPerPixel := img.Format.bytesPerPixel()
	pixels := img.Pix[min(y, img.Height-1)*img.Stride:][:img.Width*bytesPerPixel]
	out := s.padded[y&1]
	if len(out) == len(pixels) {
		return pixels
	}
	for filled := copy(out, pixels); filled < len(out); filled++ {
		out[filled] = out[filled-bytesPerPixel]
	}
	return out
}

// transform computes the blocks of all planes.
func (s *strip) transform(quantizers *[2]quantizer) {
	perRow := s.units * s.side / jpeg.BlockSide
	for row := 0; row < s.side/jpeg.BlockSide; row++ {
		transformRow(s.lumaBlocks[row*perRow:][:perRow], s.samples[row*jpeg.BlockSide*s.stride:], s.stride, &quantizers[0])
	}
	transformRow(s.cbBlocks, s.cb, s.units*jpeg.BlockSide, &quantizers[1])
	transformRow(s.crBlocks, s.cr, s.units*jpeg.BlockSide, &quantizers[1])
}
