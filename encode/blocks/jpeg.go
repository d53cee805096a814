package blocks

import jpeg "tileserver/codec/jpeg/encoder"

// jpegCompressor writes streams without tables, gray or with a chroma sample for four pixels.
type jpegCompressor struct {
	encoder jpeg.Encoder
	image   jpeg.Image
	options jpeg.Options
}

var _ compressor = (*jpegCompressor)(nil)

func newJPEG(s *Shape, c *Coding) *jpegCompressor {
	return &jpegCompressor{
		image:   jpeg.Image{Format: jpegFormat(s), Width: s.Width, Height: s.Height, Stride: s.rowBytes()},
		options: jpeg.Options{Quality: c.Quality, Subsampling: jpeg.Chroma420, Abbreviated: true},
	}
}

func jpegFormat(s *Shape) jpeg.Format {
	if s.Samples == 1 {
		return jpeg.Gray
	}
	return jpeg.RGB
}

func (c *jpegCompressor) append(dst, block []byte) ([]byte, error) {
	c.image.Pix = block
	return c.encoder.Encode(dst, &c.image, c.options)
}

// JPEGTables returns a stream with the tables of all blocks, or nil if their compression has none.
func (e *Encoder) JPEGTables() ([]byte, error) {
	if e.coding.Compression != JPEG {
		return nil, nil
	}
	return new(jpeg.Encoder).AppendTables(nil, jpegFormat(&e.shape), e.coding.Quality)
}
