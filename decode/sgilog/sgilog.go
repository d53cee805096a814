// Package sgilog decodes the logarithmic pixels of high dynamic range, TIFF's compression 34676, into the words that
// were stored. It must never know of files, nor how colours are made of those words.
package sgilog

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt reports a run that goes on behind its row.
	ErrCorrupt = errors.New("sgilog: corrupt data")
	// ErrTruncated reports data that end before their last row does.
	ErrTruncated = errors.New("sgilog: truncated data")
	// ErrSize reports a width and a destination that do not fit together.
	ErrSize = errors.New("sgilog: impossible size")
)

// DecodeL16 decodes compression 34676 where a pixel is a luminance: a sign, then the logarithm in 15 bits. It decodes as
// many rows of the given width, in pixels, as dst has room for, and returns how many it wrote, also with an error: those
// are whole, and what follows them in dst is not to be used. Data after the last row are ignored.
func DecodeL16(dst []uint16, src []byte, width int) (rows int, err error) {
	return decodePlanes(dst, src, width, 16)
}

// DecodeLuv32 decodes compression 34676 where a pixel is a colour: a luminance as that of DecodeL16 in the higher half,
// then eight bits of u and eight of v. In all else it is like DecodeL16.
func DecodeLuv32(dst []uint32, src []byte, width int) (rows int, err error) {
	return decodePlanes(dst, src, width, 32)
}

// word is a pixel.
type word interface{ uint16 | uint32 }

// decodePlanes decodes rows whose words lie in planes: first the highest bytes of a row, then the next.
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

// addPlane takes a plane of a row from src and returns what follows it.
func addPlane[pixel word](row []pixel, src []byte, shift int) (rest []byte, err error) {
	const (
		runs     = 128 // and above: a byte again and again
		shortest = 2   // run
	)
	for len(row) > 0 {
		if len(src) < 2 {
			return nil, fmt.Errorf("%d pixels missing: %w", len(row), ErrTruncated)
		}
		length := int(src[0])
		isRun := length >= runs
		if src = src[1:]; isRun {
			length += shortest - runs
		}
		switch {
		case length > len(row):
			return nil, fmt.Errorf("%d pixels where %d are missing: %w", length, len(row), ErrCorrupt)
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
