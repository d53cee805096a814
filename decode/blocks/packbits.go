package blocks

import (
	"errors"

	"tileserver/codec/packbits"
)

func decompressPackBits(dst, src []byte) (int, error) {
	n, err := packbits.Decode(dst, src)
	if errors.Is(err, packbits.ErrTooLong) {
		return n, errLonger
	}
	return n, err
}
