// Package thunderscan decodes the images of the ThunderScan scanner, TIFF's compression 32809: 16 greys, a byte for a run
// or for a few small steps. It must never know of files or of what the greys mean.
package thunderscan

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a row that goes on behind its width.
	ErrCorrupt = errors.New("thunderscan: corrupt data")
	// ErrTruncated reports data that end before their last row does.
	ErrTruncated = errors.New("thunderscan: truncated data")
	// ErrSize reports a width and a destination that do not fit together.
	ErrSize = errors.New("thunderscan: impossible size")
)

// The highest two bits of a byte say what it is.
const (
	sameAgain  = 0 // so many pixels like the last
	smallSteps = 1 // three steps of two bits each
	largeSteps = 2 // two steps of three bits each
	whole      = 3 // a pixel
)

// noStep fills up a byte that has more steps than are needed.
const noStep = 8

// RowBytes is the size of a decoded row: two pixels a byte, the first of them in the higher bits.
func RowBytes(width int) int { return (width + 1) / 2 }

// Decode decodes as many rows of the given width, in pixels, as dst has room for. It returns how many rows it wrote, also
// with an error: those are whole, and what follows them in dst is not to be used. Data after the last row are ignored.
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

// row is a row being decoded.
type row struct {
	pixels []byte
	width  int
	n      int  // pixels written
	last   byte // pixel, black before the first
}

// decode takes a row from src and returns what follows it.
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

// step adds pixels that differ by so much from those before them. Those behind the row only fill up their byte.
func (r *row) step(steps ...byte) {
	for _, step := range steps {
		if step != noStep && r.n < r.width {
			r.add((r.last + step) & 15)
		}
	}
}

// add writes a pixel that there is room for.
func (r *row) add(pixel byte) {
	r.pixels[r.n/2] |= pixel << (4 - r.n%2*4)
	r.last = pixel
	r.n++
}
