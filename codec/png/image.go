// Package png encodes map tiles as PNG. It favors speed over the smallest file. It chooses the
// smallest kind of PNG that represents the pixels exactly, and samples some rows to choose one
// filter and one compression strategy. Package display/picture calls it. It knows pixels and bytes
// only, and nothing about their source or the request.
package png

import (
	"errors"
	"fmt"
)

// ErrImage is wrapped by every error about an invalid image description.
var ErrImage = errors.New("png: invalid image")

// MaxSide is the maximum width and height in pixels, the default limit of libpng.
const MaxSide = 1_000_000

// filtered bytes before compression; IDAT must fit into one chunk, whose length has 31 bits
const maxRawBytes = 1 << 30

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// Pixel formats. The samples of a pixel are adjacent, and 16-bit samples have the high byte first.
// Colors are not premultiplied. Images with 8-bit samples may be written as a smaller kind of PNG
// with the same pixels: with a palette, as gray, without alpha, or with fewer bits. Images with
// 16-bit samples are written unchanged.
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

var formatTypes = [formatCount]struct{ bytesPerPixel, bitDepth, colorType uint8 }{
	Gray:        {1, 8, colorGray},
	GrayAlpha:   {2, 8, colorGrayAlpha},
	RGB:         {3, 8, colorRGB},
	RGBA:        {4, 8, colorRGBA},
	Paletted:    {1, 8, colorPalette},
	Gray16:      {2, 16, colorGray},
	GrayAlpha16: {4, 16, colorGrayAlpha},
	RGB16:       {6, 16, colorRGB},
	RGBA16:      {8, 16, colorRGBA},
}

func (f Format) bytesPerPixel() int { return int(formatTypes[f].bytesPerPixel) }

// Image describes the pixels to write. The encoder neither modifies nor retains it.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
	Palette       [][4]uint8 // RGBA, not premultiplied, 1 to 256 colors; for Paletted only
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

// validatePalette checks the size of the palette, and that all indices lie within it. Decoders
// reject other files.
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
		for _, index := range img.row(y) {
			highest = max(highest, index)
		}
		if int(highest) >= colors {
			return fmt.Errorf("%w: row %d: index %d in a palette of %d colors", ErrImage, y, highest, colors)
		}
	}
	return nil
}

func (img *Image) row(y int) []byte {
	return img.Pix[y*img.Stride:][:img.Width*img.Format.bytesPerPixel()]
}
