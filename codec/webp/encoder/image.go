package encoder

import (
	"fmt"

	"tileserver/codec/webp/encoder/lossless"
)

// Image describes the pixels to write. The encoder neither modifies nor retains it.
type Image = lossless.Image

// Format is the layout of the pixels in Image.Pix.
type Format = lossless.Format

// Pixel formats, with 8 bits per sample. The samples of a pixel are adjacent.
const (
	Gray      = lossless.Gray
	GrayAlpha = lossless.GrayAlpha
	RGB       = lossless.RGB
	RGBA      = lossless.RGBA // not premultiplied
	Paletted  = lossless.Paletted
)

// validate rejects images that no WebP file can hold.
func validate(img *Image) error {
	if img.Width > MaxSide || img.Height > MaxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	if err := img.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrImage, err)
	}
	return nil
}
