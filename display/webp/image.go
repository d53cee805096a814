package webp

import (
	"fmt"

	"tileserver/display/webp/lossless"
)

// Image describes the pixels to write. Nothing in it is kept or changed.
type Image = lossless.Image

// Format is the layout of the pixels in Image.Pix.
type Format = lossless.Format

// The formats have 8 bits a sample and are packed, samples of one pixel side by side.
const (
	Gray      = lossless.Gray
	GrayAlpha = lossless.GrayAlpha
	RGB       = lossless.RGB
	RGBA      = lossless.RGBA // not premultiplied
	Paletted  = lossless.Paletted
)

// validate refuses what no WebP file can hold.
func validate(img *Image) error {
	if img.Width > MaxSide || img.Height > MaxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	if err := img.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrImage, err)
	}
	return nil
}
