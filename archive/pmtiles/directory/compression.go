package directory

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"tileserver/decode"
)

// Compression is how bytes are compressed.
type Compression uint8

const (
	Unknown Compression = iota
	None
	Gzip
	Brotli
	Zstandard
)

// String returns the name of a compression.
func (c Compression) String() string {
	names := [...]string{"unknown", "none", "gzip", "brotli", "zstd"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("compression %d", uint8(c))
}

// Decompress returns what was compressed, if it has at most limit bytes. It may return compressed itself.
func (c Compression) Decompress(compressed []byte, limit int) ([]byte, error) {
	var content io.Reader
	switch c {
	case None:
		if len(compressed) > limit {
			return nil, fmt.Errorf("%w: %d bytes, and not %d", ErrCorrupt, len(compressed), limit)
		}
		return compressed, nil
	case Gzip:
		unpacked, err := gzip.NewReader(bytes.NewReader(compressed))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		content = unpacked
	case Zstandard:
		unpacked, err := zstd.NewReader(bytes.NewReader(compressed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		defer unpacked.Close()
		content = unpacked
	default:
		return nil, fmt.Errorf("pmtiles: compression by %v is %w", c, decode.ErrUnsupported)
	}
	return readAll(content, limit)
}

// maxWindowBytes bounds the memory of a decompressor.
const maxWindowBytes = 8 << 20

func readAll(content io.Reader, limit int) ([]byte, error) {
	all, err := io.ReadAll(io.LimitReader(content, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if len(all) > limit {
		return nil, fmt.Errorf("%w: over %d bytes when decompressed", ErrCorrupt, limit)
	}
	return all, nil
}

// Compressor compresses by gzip. It gives the same bytes for the same content.
type Compressor struct {
	writer *gzip.Writer
	packed bytes.Buffer
}

// Compress returns content compressed. The result is valid until the next call.
func (c *Compressor) Compress(content []byte) ([]byte, error) {
	c.packed.Reset()
	if c.writer == nil {
		c.writer = gzip.NewWriter(&c.packed)
	} else {
		c.writer.Reset(&c.packed)
	}
	if _, err := c.writer.Write(content); err != nil {
		return nil, err
	}
	if err := c.writer.Close(); err != nil {
		return nil, err
	}
	return c.packed.Bytes(), nil
}
