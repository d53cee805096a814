// Package lossless writes map tiles as VP8L, the lossless bitstream of WebP, and opacity as the ALPH chunk wants it. It
// looks at a picture once and settles on one treatment, rather than try several; it knows pixels and bytes only, never
// the file that its streams become part of.
package lossless

import (
	"errors"
	"fmt"
)

// ErrImage is in the chain of every error about an image that cannot be written as it is described.
var ErrImage = errors.New("webp lossless: invalid image")

const (
	maxSideBits = 14
	maxSide     = 1 << maxSideBits // pixels
)

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// The formats have 8 bits a sample and are packed, samples of one pixel side by side.
const (
	Gray Format = iota
	GrayAlpha
	RGB
	RGBA // not premultiplied
	Paletted
)

// BytesPerPixel returns 0 for a format that does not exist.
func (f Format) BytesPerPixel() int {
	switch f {
	case Gray, Paletted:
		return 1
	case GrayAlpha:
		return 2
	case RGB:
		return 3
	case RGBA:
		return 4
	}
	return 0
}

// Image describes the pixels to write. Nothing in it is kept or changed.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
	Palette       [][4]uint8 // RGBA, not premultiplied, 1 to 256 colours; for Paletted only
}

// Validate returns an error unless all pixels lie in Pix and have colours.
func (img *Image) Validate() error {
	bytesPerPixel := img.Format.BytesPerPixel()
	if bytesPerPixel == 0 {
		return fmt.Errorf("%w: format %d does not exist", ErrImage, img.Format)
	}
	if err := validateLayout(img.Width, img.Height, img.Width*bytesPerPixel, img.Stride, len(img.Pix)); err != nil {
		return err
	}
	if img.Format == Paletted {
		return img.validatePalette()
	}
	return nil
}

// Row is the bytes of a row.
func (img *Image) Row(y int) []byte {
	return img.Pix[y*img.Stride:][:img.Width*img.Format.BytesPerPixel()]
}

// validateLayout checks that every row lies within length.
func validateLayout(width, height, rowBytes, stride, length int) error {
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, width, height)
	}
	if height > 1 && (stride < rowBytes || stride > length) {
		return fmt.Errorf("%w: stride %d for rows of %d bytes in %d", ErrImage, stride, rowBytes, length)
	}
	if int64(height-1)*int64(stride)+int64(rowBytes) > int64(length) {
		return fmt.Errorf("%w: %d bytes for %d rows of %d, stride %d", ErrImage, length, height, rowBytes, stride)
	}
	return nil
}

// validatePalette also checks the indices: what lies outside of the palette has no colour.
func (img *Image) validatePalette() error {
	colours := len(img.Palette)
	if colours < 1 || colours > maxColours {
		return fmt.Errorf("%w: %d palette colours", ErrImage, colours)
	}
	if colours == maxColours {
		return nil
	}
	for y := range img.Height {
		highest := byte(0)
		for _, index := range img.Row(y) {
			highest = max(highest, index)
		}
		if int(highest) >= colours {
			return fmt.Errorf("%w: row %d: index %d in a palette of %d colours", ErrImage, y, highest, colours)
		}
	}
	return nil
}
