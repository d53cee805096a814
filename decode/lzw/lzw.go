// Package lzw decompresses the LZW that TIFF uses, the one of the specification and the one of files from before it, from
// a slice into a slice. It must never know more of TIFF than that: no files, no images, no predictors.
package lzw

import (
	"encoding/binary"
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

// Decoder keeps its tables from one call to the next. The zero value is ready; one goroutine at a time may use it.
//
// The string of a code is known by its first eight bytes and by where it was first written, counted from the last clear
// code: a table is full long before that takes 32 bits. The table has one place more than there are codes: where strings
// go once it is full.
type Decoder struct {
	heads   [codeCount + 1]uint64 // first byte lowest, zero beyond the string
	lengths [codeCount + 1]uint16
	places  [codeCount + 1]uint32
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
	for code := range clearCode {
		d.heads[code], d.lengths[code] = uint64(code), 1
	}
	// The string to be added next is the previous one and the first byte of the one after it. Before the first string of
	// all there is no previous one: what is added then goes to the end code, where nobody looks.
	next, width := endCode, uint(minWidth)
	var previousHead uint64
	var previousLength, previousPlace, start int
	for {
		code, ok := codes.next(width)
		switch {
		case !ok && n == len(dst), ok && code == endCode:
			return n, nil
		case !ok:
			return n, ErrTruncated
		case code == clearCode:
			next, width = endCode, minWidth
			previousHead, previousLength, previousPlace, start = 0, 0, n, n
			continue
		case n == len(dst):
			return n, ErrTooLong
		case code > next:
			return n, fmt.Errorf("code %d, of %d: %w", code, next, ErrCorrupt)
		}

		// Add the string as if its own first byte came next, which is so if it is the one wanted now; then put it right.
		d.heads[next] = previousHead | previousHead&0xff<<(8*previousLength)
		d.lengths[next], d.places[next] = uint16(previousLength+1), uint32(previousPlace-start)
		head, length := d.heads[code], int(d.lengths[code])
		d.heads[next] = previousHead | head&0xff<<(8*previousLength)

		previousHead, previousLength, previousPlace = head, length, n
		if length <= wordBytes && n+wordBytes <= len(dst) {
			binary.LittleEndian.PutUint64(dst[n:], head)
			n += length
		} else {
			n += d.copyString(dst[start:], n-start, code)
			if n < previousPlace+length {
				return n, ErrTooLong
			}
		}

		next = min(next+1, codeCount)
		if next+codes.early >= 1<<width && width < maxWidth {
			width++
		}
	}
}

// copyString writes a string that is long or near the end of dst, as much of it as fits, and returns how much that was.
// Here dst begins where the table does.
func (d *Decoder) copyString(dst []byte, n, code int) int {
	length := min(int(d.lengths[code]), len(dst)-n)
	to := dst[n:]
	if length <= wordBytes {
		var head [wordBytes]byte
		binary.LittleEndian.PutUint64(head[:], d.heads[code])
		return copy(to, head[:length])
	}
	from := dst[d.places[code]:]
	copied := 0
	for ; copied+wordBytes <= length; copied += wordBytes {
		// The string just added overlaps its own copy, but never by more than its last byte, which the copy begins with.
		binary.LittleEndian.PutUint64(to[copied:], binary.LittleEndian.Uint64(from[copied:]))
	}
	for ; copied < length; copied++ {
		to[copied] = from[copied]
	}
	return length
}
