// Package lzw decompresses both variants of TIFF's LZW, the specified one and that of older files,
// from a slice into a slice. decode/blocks calls it. It knows neither files nor images nor
// predictors.
package lzw

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports an undefined code.
	ErrCorrupt = decode.Corrupt("lzw: corrupt data")
	// ErrTruncated reports input that ends before its end code and before dst is full.
	ErrTruncated = decode.Corrupt("lzw: truncated data")
	// ErrTooLong reports data that continue after the destination is full.
	ErrTooLong = errors.New("lzw: data longer than its destination")
)

const (
	clearCode = 256
	endCode   = 257
	minWidth  = 9
	maxWidth  = 12
	codeCount = 1 << maxWidth
	wordBytes = 8
)

// Decoder decompresses data and reuses its table. The zero value is ready to use. It is not safe
// for concurrent use.
type Decoder struct {
	table table
}

// Decode decompresses TIFF's LZW, where codes start at the highest bit and grow one code early. It
// returns the number of bytes written, even if it returns an error. A missing end code is not an
// error if dst is full.
func (d *Decoder) Decode(dst, src []byte) (n int, err error) {
	return d.decode(dst, codeReader{src: src, highestFirst: true, early: 1})
}

// DecodeOld decompresses the variant from before TIFF 6, where codes start at the lowest bit and
// grow as late as possible.
func (d *Decoder) DecodeOld(dst, src []byte) (n int, err error) {
	return d.decode(dst, codeReader{src: src})
}

// IsOld reports whether src is for DecodeOld. Data start with the clear code: 0x80 0x0_ with the
// highest bit first, or 0x00 and an odd byte with the lowest bit first.
func IsOld(src []byte) bool {
	return len(src) >= 2 && src[0] == 0 && src[1]&1 == 1
}

func (d *Decoder) decode(dst []byte, codes codeReader) (n int, err error) {
	t := &d.table
	t.begin()
	width := uint(minWidth)
	for {
		n = t.writeShort(dst, n, &codes, width)
		code, ok := codes.next(width)
		switch {
		case !ok && n == len(dst), ok && code == endCode:
			return n, nil
		case !ok:
			return n, ErrTruncated
		case code == clearCode:
			t.clear(n)
			width = minWidth
			continue
		case n == len(dst):
			return n, ErrTooLong
		case code > t.next:
			return n, fmt.Errorf("code %d of %d: %w", code, t.next, ErrCorrupt)
		}
		length := t.add(code, n)
		written := t.write(dst, n, code, length)
		if n += written; written < length {
			return n, ErrTooLong
		}
		if t.next+codes.early >= 1<<width && width < maxWidth {
			width++
		}
	}
}
