// Package next decodes NeXT images, TIFF compression 32766, from a slice into a slice. Pixels have
// four gray levels. A row is stored uncompressed, as a span between white pixels, or as runs.
// decode/blocks calls it. It knows neither files nor the meaning of the levels.
package next

import (
	"encoding/binary"
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a span outside of its row.
	ErrCorrupt = decode.Corrupt("next: corrupt data")
	// ErrTruncated reports data that end before the last row.
	ErrTruncated = decode.Corrupt("next: truncated data")
	// ErrSize reports an invalid width or length of the destination.
	ErrSize = errors.New("next: invalid size")
)

// The first byte of a row tells how it is stored. Any other value is the first run.
const (
	storedRow  = 0x00
	storedSpan = 0x40
)

// white holds four white pixels.
const white = 0xFF

// RowBytes returns the size of a decoded row: four pixels per byte, the first pixel in the highest
// bits.
func RowBytes(width int) int { return (width + 3) / 4 }

// Decode decodes rows of width pixels until dst is full. It returns the number of complete rows,
// even if it returns an error. The content of dst after those rows is undefined. It ignores data
// after the last row.
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

// decodeRow decodes a row and returns the rest of src.
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

// copySpan copies a span of bytes, whose position precedes it, and fills the rest of the row with
// white.
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

// fillRuns expands runs. A run is one byte that holds a gray level and a number of pixels. It cuts
// off a last run that exceeds the row, since some encoders write such runs.
func fillRuns(row, src []byte, width int) (rest []byte, err error) {
	clear(row)
	for n := 0; n < width; src = src[1:] {
		if len(src) == 0 {
			return nil, fmt.Errorf("%d of %d pixels: %w", n, width, ErrTruncated)
		}
		gray, end := src[0]>>6, min(width, n+int(src[0]&0x3F))
		for ; n < end; n++ {
			row[n/4] |= gray << (6 - n%4*2)
		}
	}
	return src, nil
}
