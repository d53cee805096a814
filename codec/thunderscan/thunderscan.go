// Package thunderscan decodes ThunderScan images, TIFF compression 32809, from a slice into a
// slice. Pixels have 16 gray levels. A byte holds a run or a few small steps. decode/blocks calls
// it. It knows neither files nor the meaning of the levels.
package thunderscan

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a row that exceeds its width.
	ErrCorrupt = decode.Corrupt("thunderscan: corrupt data")
	// ErrTruncated reports data that end before the last row.
	ErrTruncated = decode.Corrupt("thunderscan: truncated data")
	// ErrSize reports an invalid width or length of the destination.
	ErrSize = errors.New("thunderscan: invalid size")
)

// Kinds of bytes, in their highest two bits.
const (
	sameAgain  = 0 // a run of pixels equal to the last one
	smallSteps = 1 // three steps of two bits each
	largeSteps = 2 // two steps of three bits each
	whole      = 3 // one pixel
)

// noStep fills a byte that has more steps than needed.
const noStep = 8

// RowBytes returns the size of a decoded row: two pixels per byte, the first pixel in the higher
// bits.
func RowBytes(width int) int { return (width + 1) / 2 }

// Decode decodes rows of width pixels until dst is full. It returns the number of complete rows,
// even if it returns an error. The content of dst after those rows is undefined. It ignores data
// after the last row.
func Decode(dst, src []byte, width int) (rows int, err error) {
	if width <= 0 || len(dst)%RowBytes(width) != 0 {
		return 0, fmt.Errorf("rows of %d pixels into %d bytes: %w", width, len(dst), ErrSize)
	}
	for ; len(dst) > 0; dst = dst[RowBytes(width):] {
		row := row{pixels: dst[:RowBytes(width)], width: width}
		if src, err = row.decode(src); err != nil {
			return rows, fmt.Errorf("row %d: %w", rows, err)
		}
		rows++
	}
	return rows, nil
}

// row is a row that is being decoded.
type row struct {
	pixels []byte
	width  int
	n      int  // number of pixels written
	last   byte // last pixel; black at first
}

// decode decodes a row and returns the rest of src.
func (r *row) decode(src []byte) (rest []byte, err error) {
	clear(r.pixels)
	for r.n < r.width {
		if len(src) == 0 {
			return nil, fmt.Errorf("%d of %d pixels: %w", r.n, r.width, ErrTruncated)
		}
		value := src[0] & 0x3F
		switch src[0] >> 6 {
		case sameAgain:
			if int(value) > r.width-r.n {
				return nil, fmt.Errorf("%d of %d pixels: %w", r.n+int(value), r.width, ErrCorrupt)
			}
			for range value {
				r.add(r.last)
			}
		case smallSteps:
			steps := [4]byte{0, 1, noStep, 0xFF}
			r.step(steps[value>>4], steps[value>>2&3], steps[value&3])
		case largeSteps:
			steps := [8]byte{0, 1, 2, 3, noStep, 0xFD, 0xFE, 0xFF}
			r.step(steps[value>>3], steps[value&7])
		case whole:
			r.add(value & 15)
		}
		src = src[1:]
	}
	return src, nil
}

// step adds pixels that differ from their predecessors by the given steps. It ignores steps beyond
// the row.
func (r *row) step(steps ...byte) {
	for _, step := range steps {
		if step != noStep && r.n < r.width {
			r.add((r.last + step) & 15)
		}
	}
}

// add writes a pixel, which must fit into the row.
func (r *row) add(pixel byte) {
	r.pixels[r.n/2] |= pixel << (4 - r.n%2*4)
	r.last = pixel
	r.n++
}
