package geotiff

import "github.com/klauspost/compress/zlib"

// deflateLevel is the lowest one that does not give up on differences of 16 bits, whose files the ones below leave a
// quarter larger. Those above take several times as long for a hundredth of the bytes.
const deflateLevel = 6

// compressor turns blocks into zlib streams. The zero value is ready.
type compressor struct {
	writer *zlib.Writer // made when first needed
	out    output
}

// output is where the writer appends.
type output struct{ bytes []byte }

func (o *output) Write(p []byte) (int, error) {
	o.bytes = append(o.bytes, p...)
	return len(p), nil
}

// append appends the compressed block to dst.
func (c *compressor) append(dst, block []byte) ([]byte, error) {
	c.out.bytes = dst
	err := c.compress(block)
	dst, c.out.bytes = c.out.bytes, nil // what is the caller's is not kept
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
