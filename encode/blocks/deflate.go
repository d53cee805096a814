package blocks

import "github.com/klauspost/compress/zlib"

// deflateCompressor writes zlib streams.
type deflateCompressor struct {
	writer *zlib.Writer
	out    output
}

var _ compressor = (*deflateCompressor)(nil)

// output is the destination of the zlib writer.
type output struct{ bytes []byte }

func (o *output) Write(p []byte) (int, error) {
	o.bytes = append(o.bytes, p...)
	return len(p), nil
}

func newDeflate(effort int) (*deflateCompressor, error) {
	c := new(deflateCompressor)
	var err error
	c.writer, err = zlib.NewWriterLevel(&c.out, effort)
	return c, err
}

func (c *deflateCompressor) append(dst, block []byte) ([]byte, error) {
	c.out.bytes = dst
	c.writer.Reset(&c.out)
	_, err := c.writer.Write(block)
	if err == nil {
		err = c.writer.Close()
	}
	dst, c.out.bytes = c.out.bytes, nil // drop the reference to the caller's memory
	return dst, err
}
