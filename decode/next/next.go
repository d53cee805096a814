// Package next decodes the images of the NeXT computer, TIFF's compression 32766: four greys, and a row that is stored as
// it is, as a span between white, or as runs. It must never know of files or of what the greys mean.
package next

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a span that is not within its row.
	ErrCorrupt = errors.New("next: corrupt data")
	// ErrTruncated reports data that end before their last row does.
	ErrTruncated = errors.New("next: truncated data")
	// ErrSize reports a width and a destination that do not fit together.
	ErrSize = errors.New("next: impossible size")
)

// The first byte of a row says how it is stored. All others are its first run.
const (
	storedRow  = 0x00
	storedSpan = 0x40
)

// white is four white pixels.
const white = 0xFF

// RowBytes is the size of a decoded row: four pixels a byte, the first of them in the highest bits.
func RowBytes(width int) int { return (width + 3) / 4 }

// Decode decodes as many rows of the given width, in pixels, as dst has room for. It returns how many rows it wrote, also
// with an error: those are whole, and what follows them in dst is not to be used. Data after the last row are ignored.
func Decode(dst, src []byte, width int) (rows int, err error) {
	if width <= 0 || len(dst)%RowBytes(width) != 0 {
		return 0, fmt.Errorf("rows of %d pixels into %d bytes: %w", width, len(dst), ErrSize)
	}
	for ; len(dst) > 0; dst = dst[RowBytes(width):] {
		if src, err = decodeRow(dst[:RowBytes(width)], src, width); err != nil {
			return rows, fmt.Errorf("row %d: %w", rows, err)
		}
		rows++
	}
	return rows, nil
}

// decodeRow takes a row from src and returns what follows it.
func decodeRow(row, src []byte, width int) (rest []byte, err error) {
	if len(src) == 0 {
		return nil, ErrTruncated
	}
	switch src[0] {
	case storedRow:
		return copyStored(row, src[1:])
	case storedSpan:
		return copySpan(row, src[1:])
	default:
		return fillRuns(row, src, width)
	}
}

func copyStored(row, src []byte) (rest []byte, err error) {
	if len(src) < len(row) {
		return nil, fmt.Errorf("%d of %d bytes: %w", len(src), len(row), ErrTruncated)
	}
	copy(row, src)
	return src[len(row):], nil
}

// copySpan copies bytes to a place that is told before them, with white around it.
func copySpan(row, src []byte) (rest []byte, err error) {
	const headerBytes = 4
	if len(src) < headerBytes {
		return nil, ErrTruncated
	}
	first, length := int(binary.BigEndian.Uint16(src)), int(binary.BigEndian.Uint16(src[2:]))
	if first+length > len(row) {
		return nil, fmt.Errorf("%d bytes from byte %d of %d: %w", length, first, len(row), ErrCorrupt)
	}
	for i := range row {
		row[i] = white
	}
	return copyStored(row[first:first+length], src[headerBytes:])
}

// fillRuns expands runs, each of them a byte of a grey and a number of pixels. There are encoders whose last run is longer
// than the row.
func fillRuns(row, src []byte, width int) (rest []byte, err error) {
	clear(row)
	for n := 0; n < width; src = src[1:] {
		if len(src) == 0 {
			return nil, fmt.Errorf("%d of %d pixels: %w", n, width, ErrTruncated)
		}
		grey, end := src[0]>>6, min(width, n+int(src[0]&0x3F))
		for ; n < end; n++ {
			row[n/4] |= grey << (6 - n%4*2)
		}
	}
	return src, nil
}
