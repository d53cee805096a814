// Package packbits expands the Macintosh run-length code, TIFF compression 32773, from a slice into
// a slice. decode/blocks calls it. It knows neither rows nor images nor files.
package packbits

import (
	"errors"

	"tileserver/decode"
)

var (
	// ErrTruncated reports input that ends within a run.
	ErrTruncated = decode.Corrupt("packbits: truncated data")
	// ErrTooLong reports data that continue after the destination is full.
	ErrTooLong = errors.New("packbits: data longer than its destination")
)

// noOperation is a header without effect.
const noOperation = 128

// Decode expands src into dst. It returns the number of bytes written, even if it returns an error.
// Data that end before dst is full are valid, because they do not declare their length.
func Decode(dst, src []byte) (n int, err error) {
	for len(src) > 0 {
		header := src[0]
		src = src[1:]
		var length, written int
		switch {
		case header == noOperation:
			continue
		case n == len(dst):
			return n, ErrTooLong
		case header < noOperation:
			length = int(header) + 1
			present := src[:min(length, len(src))]
			written = copy(dst[n:], present)
			src = src[len(present):]
			if written == len(present) && written < length {
				return n + written, ErrTruncated
			}
		case len(src) == 0:
			return n, ErrTruncated
		default:
			length = 257 - int(header)
			written = fill(dst[n:], src[0], length)
			src = src[1:]
		}
		n += written
		if written < length {
			return n, ErrTooLong
		}
	}
	return n, nil
}

// fill writes value up to length times, as far as it fits. It returns the number of bytes written.
func fill(dst []byte, value byte, length int) int {
	dst = dst[:min(length, len(dst))]
	for i := range dst {
		dst[i] = value
	}
	return len(dst)
}
