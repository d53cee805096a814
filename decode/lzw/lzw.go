// Package lzw decompresses the LZW that TIFF uses, the one of the specification and the one of files from before it, from
// a slice into a slice. It must never know more of TIFF than that: no files, no images, no predictors.
package lzw

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a code that has no meaning yet.
	ErrCorrupt = errors.New("lzw: corrupt data")
	// ErrTruncated reports input that ended before its end code, with room left in the destination.
	ErrTruncated = errors.New("lzw: truncated data")
	// ErrTooLong reports data that go on after the destination is full.
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

// Decoder keeps its table from one call to the next. The zero value is ready; one goroutine at a time may use it.
type Decoder struct {
	table table
}

// Decode decompresses TIFF's LZW: codes begin at the highest bit, and grow one code early. It returns how many bytes of
// dst it wrote, also with an error. A missing end code is no error once dst is full.
func (d *Decoder) Decode(dst, src []byte) (n int, err error) {
	return d.decode(dst, codeReader{src: src, highestFirst: true, early: 1})
}

// DecodeOld decompresses what was written before TIFF 6: codes begin at the lowest bit and grow when they must.
func (d *Decoder) DecodeOld(dst, src []byte) (n int, err error) {
	return d.decode(dst, codeReader{src: src})
}

// IsOld reports whether src is for DecodeOld. Data begin with the clear code, which is 0x80 0x0_ with the highest bit
// first, and 0x00 and an odd byte with the lowest first.
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
			return n, fmt.Errorf("code %d, of %d: %w", code, t.next, ErrCorrupt)
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
