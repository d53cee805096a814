// Package packbits expands the run-length code of the Macintosh, TIFF's compression 32773, from a slice into a slice.
// It must never know about rows, images or files.
package packbits

import "errors"

var (
	// ErrTruncated reports input that ended within a run.
	ErrTruncated = errors.New("packbits: truncated data")
	// ErrTooLong reports data that go on after the destination is full.
	ErrTooLong = errors.New("packbits: data longer than its destination")
)

// noOperation is the one header that stands for nothing.
const noOperation = 128

// Decode expands src into dst and returns how many bytes of dst it wrote, also with an error. Data that end before dst
// is full are no error: nothing in them says how long they should be.
func Decode(dst, src []byte) (n int, err error) {
	for len(src) > 0 {
		header := src[0]
		src = src[1:]
		var length, written int
		switch {
		case header == noOperation:
			continue
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

// fill writes length times value, or as often as it fits, and returns how often that was.
func fill(dst []byte, value byte, length int) int {
	dst = dst[:min(length, len(dst))]
	for i := range dst {
		dst[i] = value
	}
	return len(dst)
}
