// Package sgilog decodes SGI's logarithmic high dynamic range pixels, TIFF compression 34676, into
// the stored words. decode/blocks calls it. It knows neither files nor the conversion of the words to
// colors.
package sgilog

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

var (
	// ErrCorrupt reports a run that exceeds its row.
	ErrCorrupt = decode.Corrupt("sgilog: corrupt data")
	// ErrTruncated reports data that end before the last row.
	ErrTruncated = decode.Corrupt("sgilog: truncated data")
	// ErrSize reports an invalid width or length of the destination.
	ErrSize = errors.New("sgilog: invalid size")
)

// DecodeL16 decodes pixels that are luminances: a sign and a 15-bit logarithm. It decodes rows of
// width pixels until dst is full. It returns the number of complete rows, even if it returns an
// error. The content of dst after those rows is undefined. It ignores data after the last row.
func DecodeL16(dst []uint16, src []byte, width int) (rows int, err error) {
	return decodePlanes(dst, src, width, 16)
}

// DecodeLuv32 decodes pixels that are colors: a luminance as in DecodeL16 in the higher half, then
// eight bits of u and eight bits of v. Otherwise it works like DecodeL16.
func DecodeLuv32(dst []uint32, src []byte, width int) (rows int, err error) {
	return decodePlanes(dst, src, width, 32)
}

// word is a stored pixel.
type word interface{ uint16 | uint32 }

// decodePlanes decodes rows that are stored as byte planes: first the highest bytes of a row, then
// the next.
func decodePlanes[pixel word](dst []pixel, src []byte, width, wordBits int) (rows int, err error) {
	if width <= 0 || len(dst)%width != 0 {
		return 0, fmt.Errorf("rows of %d pixels into %d: %w", width, len(dst), ErrSize)
	}
	for ; len(dst) > 0; dst = dst[width:] {
		clear(dst[:width])
		for shift := wordBits - 8; shift >= 0; shift -= 8 {
			if src, err = addPlane(dst[:width], src, shift); err != nil {
				return rows, fmt.Errorf("row %d, bits from %d: %w", rows, shift, err)
			}
		}
		rows++
	}
	return rows, nil
}

// addPlane decodes a plane of a row and returns the rest of src.
func addPlane[pixel word](row []pixel, src []byte, shift int) (rest []byte, err error) {
	const (
		firstRun = 128 // runs of one byte start here
		minRun   = 2   // minimum length of a run
	)
	for len(row) > 0 {
		if len(src) < 2 {
			return nil, fmt.Errorf("%d pixels missing: %w", len(row), ErrTruncated)
		}
		length := int(src[0])
		isRun := length >= firstRun
		if src = src[1:]; isRun {
			length += minRun - firstRun
		}
		switch {
		case length > len(row):
			return nil, fmt.Errorf("%d pixels with %d remaining: %w", length, len(row), ErrCorrupt)
		case isRun:
			value := pixel(src[0]) << shift
			for i := range row[:length] {
				row[i] |= value
			}
			src = src[1:]
		case length > len(src):
			return nil, fmt.Errorf("%d of %d bytes: %w", len(src), length, ErrTruncated)
		default:
			for i, value := range src[:length] {
				row[i] |= pixel(value) << shift
			}
			src = src[length:]
		}
		row = row[length:]
	}
	return src, nil
}
