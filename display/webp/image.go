package webp

import "fmt"

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

// row is the pixels of a row.
func (img *Image) row(y int) []byte {
	return img.Pix[y*img.Stride:][:img.Width*img.Format.bytesPerPixel()]
}

func (img *Image) validate() error {
	bytesPerPixel := img.Format.bytesPerPixel()
	if bytesPerPixel == 0 {
		return fmt.Errorf("%w: format %d does not exist", ErrImage, img.Format)
	}
	if img.Width < 1 || img.Height < 1 || img.Width > MaxSide || img.Height > MaxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	rowBytes, length := img.Width*bytesPerPixel, len(img.Pix)
	if img.Height > 1 && (img.Stride < rowBytes || img.Stride > length) {
		return fmt.Errorf("%w: stride %d for rows of %d bytes in %d", ErrImage, img.Stride, rowBytes, length)
	}
	if int64(img.Height-1)*int64(img.Stride)+int64(rowBytes) > int64(length) {
		return fmt.Errorf("%w: %d bytes for %d rows of %d, stride %d", ErrImage, length, img.Height, rowBytes, img.Stride)
	}
	if img.Format == Paletted {
		return img.validatePalette()
	}
	return nil
}

// validatePalette also checks the indices: what lies outside of the palette has no colour.
func (img *Image) validatePalette() error {
	const maxColours = 256
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
