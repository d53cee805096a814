package blocks

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdDecoders pools decoders. Each runs on its caller's goroutine, so that only the Pool decides
// how many blocks are decoded at a time.
type zstdDecoders struct{ free sync.Pool }

// The limits on how far back a frame may refer. A decoder that writes to memory refers to its own
// output, so the window costs nothing; its limit is the largest window of the reference encoder's
// levels. A streaming decoder allocates its window, so the limit is lower.
const (
	zstdWindowBytes       = 128 << 20
	zstdStreamWindowBytes = 8 << 20
)

func newZSTD() *zstdDecoders { return new(zstdDecoders) }

func (d *zstdDecoders) get() (*zstd.Decoder, error) {
	if decoder, ok := d.free.Get().(*zstd.Decoder); ok {
		return decoder, nil
	}
	return zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdWindowBytes),
		zstd.WithDecodeAllCapLimit(true),
	)
}

func (d *zstdDecoders) decompress(dst, src []byte) (int, error) {
	decoder, err := d.get()
	if err != nil {
		return 0, err
	}
	defer d.free.Put(decoder)
	out, err := decoder.DecodeAll(src, dst[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, io.ErrUnexpectedEOF):
		return decompressPrefix(dst, src)
	case errors.Is(err, zstd.ErrMagicMismatch) && len(out) == len(dst):
		return len(dst), errLonger // what follows is not a zstd frame
	case err != nil:
		return 0, err
	}
	return copy(dst, out), nil // a no-op, unless the decoder allocated a new slice
}

// decompressPrefix decompresses the first bytes of a stream that is longer than dst, or ends early.
func decompressPrefix(dst, src []byte) (int, error) {
	stream, err := zstd.NewReader(bytes.NewReader(src),
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(zstdStreamWindowBytes),
	)
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	n, err := io.ReadFull(stream, dst)
	if err != nil {
		return n, err
	}
	return n, errLonger
}
