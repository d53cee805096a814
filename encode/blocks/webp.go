package blocks

import webp "tileserver/codec/webp/encoder"

// webpCompressor writes WebP files of color, with opacity if there is a fourth sample.
type webpCompressor struct {
	encoder webp.Encoder
	image   webp.Image
	options webp.Options
}

var _ compressor = (*webpCompressor)(nil)

func newWebP(s *Shape, c *Coding) *webpCompressor {
	format := webp.RGB
	if s.Samples == 4 {
		format = webp.RGBA
	}
	return &webpCompressor{
		image:   webp.Image{Format: format, Width: s.Width, Height: s.Height, Stride: s.rowBytes()},
		options: webp.Options{Quality: c.Quality, Lossless: c.Lossless},
	}
}

func (c *webpCompressor) append(dst, block []byte) ([]byte, error) {
	c.image.Pix = block
	return c.encoder.Encode(dst, &c.image, c.options)
}
