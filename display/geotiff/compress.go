package geotiff

import "github.com/klauspost/compress/zlib"

// deflateLevel is the lowest level that compresses differences of 16 bits well. Lower levels make
// files a quarter larger. Higher levels take several times as long to save a hundredth of the
// bytes.
const deflateLevel = 6

// A compressor compresses blocks to zlib streams. The zero value is ready to use.
type compressor struct {
	writer *zlib.Writer // created on first use
	out    output
}

// output is the destination of the zlib writer.
type output struct{ bytes []byte }

func (o *output) Write(p []byte) (int, error) {
	o.bytes = append(o.bytes, p...)
	return len(p), nil
}

// append appends a compressed block to dst.
func (c *compressor) append(dst, block []byte) ([]byte, error) {
	c.out.bytes = dst
	err := c.compress(block)
	dst, c.out.bytes = c.out.bytes, nil // drop the reference to the caller's memory
	return dst, err
}

func (c *compressor) compress(block []byte) (err error) {
	if c.writer == nil {
		if c.writer, err = zlib.NewWriterLevel(&c.out, deflateLevel); err != nil {
			return err
		}
	} else {
		c.writer.Reset(&c.out)
	}
	if _, err := c.writer.Write(block); err != nil {
		return err
	}
	return c.writer.Close()
}
