// Package encoder encodes map tiles as baseline JPEG. It does not allocate in a steady state, and
// it is faster than image/jpeg. Package display/picture calls it. It knows packed 8-bit pixels and
// a quality, and nothing about the source of the pixels or the handling of transparency.
//
// Words: a *unit* is a minimum coded unit. A *strip* is one row of units.
package encoder

import (
	"errors"
	"fmt"
)

var (
	// ErrImage is wrapped by every error about an invalid image description.
	ErrImage = errors.New("jpeg: invalid image")
	// ErrOptions is wrapped by every error about invalid Options.
	ErrOptions = errors.New("jpeg: invalid options")
)

// MaxSide is the maximum width and height in pixels. It is the limit of libjpeg; the format allows
// slightly more.
const MaxSide = 65500

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// Pixel formats, with 8 bits per sample. The samples of a pixel are adjacent.
const (
	RGB Format = iota
	Gray
)

func (f Format) bytesPerPixel() int {
	if f == Gray {
		return 1
	}
	return 3
}

// kinds returns the number of kinds of components: luma and chroma.
func (f Format) kinds() int {
	if f == Gray {
		return 1
	}
	return 2
}

// Image describes the pixels to write. The encoder neither modifies nor retains it.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
}

// Subsampling is the resolution of chroma. It is ignored for gray images.
type Subsampling uint8

const (
	// Chroma420 stores one chroma sample per 2 x 2 pixels.
	Chroma420 Subsampling = iota
	// Chroma444 stores one chroma sample per pixel.
	Chroma444
)

// DefaultQuality is used for a Quality of 0.
const DefaultQuality = 75

// Options control the loss of quality, and where the tables are.
type Options struct {
	Quality     int // 1 to 100, or 0 for DefaultQuality
	Subsampling Subsampling

	// Abbreviated leaves out the tables, which AppendTables writes, and the JFIF segment. Files that
	// hold many streams, such as TIFF, have the tables once.
	Abbreviated bool
}

func (o Options) validate() error {
	if o.Quality < 0 || o.Quality > 100 {
		return fmt.Errorf("%w: quality %d", ErrOptions, o.Quality)
	}
	if o.Subsampling > Chroma444 {
		return fmt.Errorf("%w: subsampling %d does not exist", ErrOptions, o.Subsampling)
	}
	return nil
}

func (img *Image) validate() error {
	if img.Format > Gray {
		return fmt.Errorf("%w: format %d does not exist", ErrImage, img.Format)
	}
	if img.Width < 1 || img.Height < 1 || img.Width > MaxSide || img.Height > MaxSide {
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, img.Width, img.Height)
	}
	rowBytes := img.Width * img.Format.bytesPerPixel()
	if img.Height > 1 && (img.Stride < rowBytes || img.Stride > len(img.Pix)) {
		return fmt.Errorf("%w: stride %d for rows of %d bytes in %d", ErrImage, img.Stride, rowBytes, len(img.Pix))
	}
	if int64(img.Height-1)*int64(img.Stride)+int64(rowBytes) > int64(len(img.Pix)) {
		return fmt.Errorf("%w: %d bytes for %d rows of %d, stride %d", ErrImage, len(img.Pix), img.Height, rowBytes, img.Stride)
	}
	return nil
}
