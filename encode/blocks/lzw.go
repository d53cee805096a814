package blocks

import lzw "tileserver/codec/lzw/encoder"

type lzwCompressor struct{ encoder lzw.Encoder }

var _ compressor = (*lzwCompressor)(nil)

func (c *lzwCompressor) append(dst, block []byte) ([]byte, error) {
	return c.encoder.Append(dst, block), nil
}
