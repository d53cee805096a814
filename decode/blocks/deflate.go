package blocks

import (
	"errors"
	"sync"

	inflate "tileserver/codec/deflate/decoder"
)

// deflateDecoders pools decoders, whose tables are large.
type deflateDecoders struct{ free sync.Pool }

func newDeflate() *deflateDecoders {
	return &deflateDecoders{sync.Pool{New: func() any { return new(inflate.Decoder) }}}
}

func (d *deflateDecoders) decompress(dst, src []byte) (int, error) {
	decoder := d.free.Get().(*inflate.Decoder)
	defer d.free.Put(decoder)
	n, err := decoder.Zlib(dst, src)
	if errors.Is(err, inflate.ErrTooLong) {
		return n, errLonger
	}
	return n, err
}
