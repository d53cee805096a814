package decode

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdDecoders keeps decoders for reuse. Each works on its caller's goroutine,
// so that the Pool alone decides how many blocks are decoded at a time.
type zstdDecoders struct{ free sync.Pool }

// How far a frame may have its decoder look back. In memory that is within what
// has come out already, and costs nothing: the largest window that the reference
// encoder has a level for. A stream keeps its window, so that of one that is too
// long for its block must be smaller.
const (
	zstdWindowBytes       = 128 << 20
	zstdStreamWindowBytes = 8 << 20
)

func newZSTD() *zstdDecoders { return new(zstdDecoders) }

func (d *zstdDecoders) take() (*zstd.Decoder, error) {
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
	decoder, err := d.take()
	if err != nil {
		return 0, err
	}
	defer d.free.Put(decoder)
	out, err := decoder.DecodeAll(src, dst[:0])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return beginning(dst, src)
	case errors.Is(err, zstd.ErrMagicMismatch) && len(out) == len(dst):
		return len(dst), errLonger // by bytes that are no frame
	case err != nil:
		return 0, err
	}
	return copy(dst, out), nil // onto itself, unless the decoder grew it
}

// beginning decompresses as much of a longer stream as dst takes.
func beginning(dst, src []byte) (int, error) {
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
