package blocks

import (
	"encoding/binary"

	"github.com/klauspost/compress/zlib"

	"tileserver/codec/adler32"
	deflate "tileserver/codec/deflate/encoder"
)

// leastEffort is the effort of the encoder that is tuned for speed.
const leastEffort = 1

// quickDeflate writes zlib streams in little time.
type quickDeflate struct{ encoder deflate.Encoder }

var _ compressor = (*quickDeflate)(nil)

func (c *quickDeflate) append(dst, block []byte) ([]byte, error) {
	dst = append(dst, 0x78, 0x01) // a window of 32 KiB, compressed fast
	dst = c.encoder.Append(dst, block, deflate.Matches, true)
	return binary.BigEndian.AppendUint32(dst, adler32.Update(adler32.Initial, block)), nil
}

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
