package jpeg

// A strip is one row of units: squares of 16 pixels where chroma is halved, of 8 where it is not. It holds their samples
// as planes, and the blocks that they become.
type strip struct {
	side  int // of a unit, in pixels
	units int

	luma, cb, cr                   []uint8
	lumaBlocks, cbBlocks, crBlocks []block // by rows; none of chroma for gray

	samples []uint8 // luma, or the gray pixels in place
	stride  int     // of samples; chroma has one of 8 for each unit

	padded [2][]byte // two rows of pixels, with the last of each repeated up to the end of its unit
}

// shape makes room for an image.
func (s *strip) shape(img *Image, subsampling Subsampling) {
	s.side = blockSide
	if img.Format == RGB && subsampling == Chroma420 {
		s.side = 2 * blockSide
	}
	s.units = (img.Width + s.side - 1) / s.side
	s.luma = sized(s.luma, s.units*s.side*s.side)
	s.lumaBlocks = sized(s.lumaBlocks, s.units*(s.side/blockSide)*(s.side/blockSide))
	chroma := s.units
	if img.Format == Gray {
		chroma = 0
	}
	s.cb, s.cr = sized(s.cb, chroma*blockSize), sized(s.cr, chroma*blockSize)
	s.cbBlocks, s.crBlocks = sized(s.cbBlocks, chroma), sized(s.crBlocks, chroma)
	for i := range s.padded {
		s.padded[i] = sized(s.padded[i], s.units*s.side*img.Format.bytesPerPixel())
	}
}

func (s *strip) blocksPerUnit() int {
	return (len(s.lumaBlocks) + len(s.cbBlocks) + len(s.crBlocks)) / s.units
}

// load fills the planes from the pixels from row y on. Below the image its last row is repeated.
func (s *strip) load(img *Image, y int) {
	s.samples, s.stride = s.luma, s.units*s.side
	half := s.units * blockSide
	switch {
	case img.Format == Gray && y+blockSide <= img.Height && s.stride == img.Width:
		s.samples, s.stride = img.Pix[y*img.Stride:], img.Stride
	case img.Format == Gray:
		for row := range blockSide {
			copy(s.luma[row*s.stride:][:s.stride], s.row(img, y+row))
		}
	case s.side == blockSide:
		for row := range blockSide {
			at := row * s.stride
			convertRow(s.luma[at:][:s.stride], s.cb[at:][:s.stride], s.cr[at:][:s.stride], s.row(img, y+row))
		}
	default:
		for row := range blockSide {
			above, below := s.luma[2*row*s.stride:][:s.stride], s.luma[(2*row+1)*s.stride:][:s.stride]
			cb, cr := s.cb[row*half:][:half], s.cr[row*half:][:half]
			convertRows(above, below, cb, cr, s.row(img, y+2*row), s.row(img, y+2*row+1))
		}
	}
}

// row returns the pixels of row y for whole units. It is valid until two rows later.
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

// transform makes the blocks of the planes.
func (s *strip) transform(quantisers *[2]quantiser) {
	perRow := s.units * s.side / blockSide
	for row := 0; row < s.side/blockSide; row++ {
		transformRow(s.lumaBlocks[row*perRow:][:perRow], s.samples[row*blockSide*s.stride:], s.stride, &quantisers[0])
	}
	transformRow(s.cbBlocks, s.cb, s.units*blockSide, &quantisers[1])
	transformRow(s.crBlocks, s.cr, s.units*blockSide, &quantisers[1])
}

// sized returns buffer with the given length, reallocated only where it is too short.
func sized[T any](buffer []T, length int) []T {
	if cap(buffer) < length {
		return make([]T, length)
	}
	return buffer[:length]
}
