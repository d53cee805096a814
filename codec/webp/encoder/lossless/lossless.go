// Package lossless encodes map tiles as VP8L, the lossless bitstream of WebP, and alpha planes for
// ALPH chunks. Package codec/webp/encoder calls it and writes the container. It analyzes a picture
// once and chooses one set of transforms instead of trying several. It knows pixels and bytes only.
//
// Words: a *token* is a literal pixel, a copy of earlier pixels, or a cached pixel. A *group* is a
// set of five prefix codes.
package lossless

import (
	"errors"
	"fmt"
)

// ErrImage is wrapped by every error about an invalid image description.
var ErrImage = errors.New("webp lossless: invalid image")

const (
	maxSideBits = 14
	maxSide     = 1 << maxSideBits // in pixels
)

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// Pixel formats, with 8 bits per sample. The samples of a pixel are adjacent.
const (
	Gray Format = iota
	GrayAlpha
	RGB
	RGBA // not premultiplied
	Paletted
)

// BytesPerPixel returns the size of a pixel, or 0 for an unknown format.
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

// Image describes the pixels to write. The encoder neither modifies nor retains it.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
	Palette       [][4]uint8 // RGBA, not premultiplied, 1 to 256 colors; for Paletted only
}

// Validate returns an error unless all pixels lie in Pix and have colors.
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

// Row returns the bytes of a row.
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

// validatePalette checks the size of the palette, and that all indexes lie within it.
func (img *Image) validatePalette() error {
	colors := len(img.Palette)
	if colors < 1 || colors > maxColors {
		return fmt.Errorf("%w: %d palette colors", ErrImage, colors)
	}
	if colors == maxColors {
		return nil
	}
	for y := range img.Height {
		highest := byte(0)
		for _, index := range img.Row(y) {
			highest = max(highest, index)
		}
		if int(highest) >= colors {
			return fmt.Errorf("%w: row %d: index %d in a palette of %d colors", ErrImage, y, highest, colors)
		}
	}
	return nil
}
