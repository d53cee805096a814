// Package png writes map tiles as PNG, much faster than it would compress a picture to keep: it looks at a few
// rows and picks one filter and one deflate mode for the whole tile. It knows pixels and bytes only, never where
// they come from or who asked for them.
package png

import (
	"errors"
	"fmt"
)

// ErrImage is in the chain of every error about an image that cannot be written as it is described.
var ErrImage = errors.New("png: invalid image")

const (
	maxSide     = 1 << 20 // pixels
	maxRawBytes = 1 << 30 // filtered bytes before compression; keeps IDAT, whose length is 31 bits, in one chunk
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

// bytesPerPixel returns 0 for a format that does not exist.
func (f Format) bytesPerPixel() int {
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

// Gray16Image is a single band of 16-bit samples in native byte order.
type Gray16Image struct {
	Width, Height int
	Stride        int // samples from one row to the next
	Pix           []uint16
}

func (img *Image) validate() error {
	bytesPerPixel := img.Format.bytesPerPixel()
	if bytesPerPixel == 0 {
		return fmt.Errorf("%w: format %d does not exist", ErrImage, img.Format)
	}
	if err := validateLayout(img.Width, img.Height, bytesPerPixel, bytesPerPixel, img.Stride, len(img.Pix)); err != nil {
		return err
	}
	if img.Format == Paletted {
		return img.validatePalette()
	}
	return nil
}

func (img *Gray16Image) validate() error {
	return validateLayout(img.Width, img.Height, 1, 2, img.Stride, len(img.Pix))
}

// validateLayout checks that every row lies within length, where pixelElements elements of the slice make a pixel
// and pixelBytes bytes a pixel on the wire.
func validateLayout(width, height, pixelElements, pixelBytes, stride, length int) error {
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, width, height)
	}
	if (1+int64(width)*int64(pixelBytes))*int64(height) > maxRawBytes {
		return fmt.Errorf("%w: %d x %d pixels are more than %d bytes", ErrImage, width, height, maxRawBytes)
	}
	rowElements := width * pixelElements
	if height > 1 && (stride < rowElements || stride > length) {
		return fmt.Errorf("%w: stride %d for rows of %d in %d", ErrImage, stride, rowElements, length)
	}
	if int64(height-1)*int64(stride)+int64(rowElements) > int64(length) {
		return fmt.Errorf("%w: %d elements for %d rows of %d, stride %d", ErrImage, length, height, rowElements, stride)
	}
	return nil
}

// validatePalette also checks the indices, because decoders refuse a picture that points outside its palette.
func (img *Image) validatePalette() error {
	colours := len(img.Palette)
	if colours < 1 || colours > 256 {
		return fmt.Errorf("%w: %d palette colours", ErrImage, colours)
	}
	if colours == 256 {
		return nil
	}
	for y := range img.Height {
		highest := byte(0)
		for _, index := range img.Pix[y*img.Stride:][:img.Width] {
			highest = max(highest, index)
		}
		if int(highest) >= colours {
			return fmt.Errorf("%w: row %d: index %d in a palette of %d colours", ErrImage, y, highest, colours)
		}
	}
	return nil
}

// solid returns the colour that all pixels have, if they have one.
func (img *Image) solid() (colour [4]uint8, ok bool) {
	source := img.rows()
	first := source.row(0, nil)
	pixel := first[:source.bytesPerPixel]
	if !isRepeated(first, source.bytesPerPixel) {
		return colour, false
	}
	for y := 1; y < img.Height; y++ {
		if string(source.row(y, nil)) != string(first) {
			return colour, false
		}
	}
	switch img.Format {
	case Gray:
		return [4]uint8{pixel[0], pixel[0], pixel[0], 255}, true
	case GrayAlpha:
		return [4]uint8{pixel[0], pixel[0], pixel[0], pixel[1]}, true
	case RGB:
		return [4]uint8{pixel[0], pixel[1], pixel[2], 255}, true
	case RGBA:
		return [4]uint8{pixel[0], pixel[1], pixel[2], pixel[3]}, true
	}
	return img.Palette[pixel[0]], true
}

// isRepeated reports whether row is its first n bytes again and again.
func isRepeated(row []byte, n int) bool {
	return string(row[n:]) == string(row[:len(row)-n])
}
