package decode

import (
	"errors"

	"tileserver/decode/packbits"
)

func decompressPackBits(dst, src []byte) (int, error) {
	n, err := packbits.Decode(dst, src)
	if errors.Is(err, packbits.ErrTooLong) {
		return n, errLonger
	}
	return n, err
}
