package blocks

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/codec/lzma"
	"tileserver/decode"
)

// lzmaDecoders pools decoders, whose tables are large.
type lzmaDecoders struct{ free sync.Pool }

func newLZMA() *lzmaDecoders {
	return &lzmaDecoders{sync.Pool{New: func() any { return new(lzma.Decoder) }}}
}

func (d *lzmaDecoders) decompress(dst, src []byte) (int, error) {
	decoder := d.free.Get().(*lzma.Decoder)
	defer d.free.Put(decoder)
	n, err := decoder.Decode(dst, src)
	switch {
	case errors.Is(err, lzma.ErrTooLong):
		return n, errLonger
	case errors.Is(err, lzma.ErrUnsupported):
		return n, fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	}
	return n, err
}
