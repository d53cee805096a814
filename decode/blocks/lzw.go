package blocks

import (
	"errors"
	"sync"

	"tileserver/codec/lzw"
)

// lzwDecoders pools decoders, whose tables are large.
type lzwDecoders struct{ free sync.Pool }

func newLZW() *lzwDecoders {
	return &lzwDecoders{sync.Pool{New: func() any { return new(lzw.Decoder) }}}
}

func (d *lzwDecoders) decompress(dst, src []byte) (n int, err error) {
	decoder := d.free.Get().(*lzw.Decoder)
	defer d.free.Put(decoder)
	if lzw.IsOld(src) {
		n, err = decoder.DecodeOld(dst, src)
	} else {
		n, err = decoder.Decode(dst, src)
	}
	if errors.Is(err, lzw.ErrTooLong) {
		return n, errLonger
	}
	return n, err
}
