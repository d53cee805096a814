// Package png writes map tiles as PNG, much faster than it would compress a picture to keep: it looks for the smallest
// kind of PNG that has the very same pixels, and at a few rows to pick one filter and one way to compress. It knows pixels
// and bytes only, never where they come from or who asked for them.
package png

import (
	"errors"
	"fmt"
)

// ErrImage is in the chain of every error about an image that cannot be written as it is described.
var ErrImage = errors.New("png: invalid image")

// MaxSide is what libpng reads unless it is told otherwise, in pixels.
const MaxSide = 1_000_000

const maxRawBytes = 1 << 30 // filtered bytes before compression; keeps IDAT, whose length is 31 bits, in one chunk

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// The formats are packed, samples of one pixel side by side; those of 16 bits have the higher byte of a sample first.
// Colours are not premultiplied. What has 8 bits a sample may be written in a smaller kind of PNG that has the same
// pixels: with a palette, as gray, without alpha, with fewer bits. What has 16 bits is written as it is.
const (
	Gray Format = iota
	GrayAlpha
	RGB
	RGBA
	Paletted
	Gray16
	GrayAlpha16
	RGB16
	RGBA16

	formatCount
)

var formatTypes = [formatCount]struct{ bytesPerPixel, bitDepth, colourType uint8 }{
	Gray:        {1, 8, colourGray},
	GrayAlpha:   {2, 8, colourGrayAlpha},
	RGB:         {3, 8, colourRGB},
	RGBA:        {4, 8, colourRGBA},
	Paletted:    {1, 8, colourPalette},
	Gray16:      {2, 16, colourGray},
	GrayAlpha16: {4, 16, colourGrayAlpha},
	RGB16:       {6, 16, colourRGB},
	RGBA16:      {8, 16, colourRGBA},
}

func (f Format) bytesPerPixel() int { return int(formatTypes[f].bytesPerPixel) }

// Image describes the pixels to write. Nothing in it is kept or changed.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
	Palette       [][4]uint8 // RGBA, not premultiplied, 1 to 256 colours; for Paletted only
}

func (img *Image) validate() error {
	if img.Format >= formatCount {
		return fmt.Errorf("%w: format %d does not exist", ErrImage, img.Format)
	}
	if err := img.validateLayout(); err != nil {
		return err
	}
	if img.Format == Paletted {
		return img.validatePalette()
	}
	return nil
}

// validateLayout checks that every row lies within Pix.
func (img *Image) validateLayout() error {
	if img.Width < 1 || img.Height < 1 || img.Width > MaxSide || img.Height > MaxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	rowBytes := img.Width * img.Format.bytesPerPixel()
	if int64(1+rowBytes)*int64(img.Height) > maxRawBytes {
		return fmt.Errorf("%w: %d x %d pixels are more than %d bytes", ErrImage, img.Width, img.Height, maxRawBytes)
	}
	if img.Height > 1 && (img.Stride < rowBytes || img.Stride > len(img.Pix)) {
		return fmt.Errorf("%w: stride %d for rows of %d in %d", ErrImage, img.Stride, rowBytes, len(img.Pix))
	}
	if int64(img.Height-1)*int64(img.Stride)+int64(rowBytes) > int64(len(img.Pix)) {
		return fmt.Errorf("%w: %d bytes for %d rows of %d, stride %d", ErrImage, len(img.Pix), img.Height, rowBytes, img.Stride)
	}
	return nil
}

// validatePalette also checks the indices, because decoders refuse a picture that points outside its palette.
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
		for _, index := range img.row(y) {
			highest = max(highest, index)
		}
		if int(highest) >= colours {
			return fmt.Errorf("%w: row %d: index %d in a palette of %d colours", ErrImage, y, highest, colours)
		}
	}
	return nil
}

func (img *Image) row(y int) []byte {
	return img.Pix[y*img.Stride:][:img.Width*img.Format.bytesPerPixel()]
}
