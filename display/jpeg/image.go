// Package jpeg writes map tiles as baseline JPEG, without allocating in steady state and faster than image/jpeg.
// It knows packed 8-bit pixels and a quality, never where the pixels come from or what lies behind transparent ones.
package jpeg

import (
	"errors"
	"fmt"
)

var (
	// ErrImage is in the chain of every error about an image that cannot be written as it is described.
	ErrImage = errors.New("jpeg: invalid image")
	// ErrOptions is in the chain of every error about Options.
	ErrOptions = errors.New("jpeg: invalid options")
)

// MaxSide is what libjpeg reads, in pixels. A frame header has room for a few more, which nobody could look at.
const MaxSide = 65500

// Format is the layout of the pixels in Image.Pix.
type Format uint8

// The formats have 8 bits a sample and are packed, samples of one pixel side by side.
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

// Image describes the pixels to write. Nothing in it is kept or changed.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int // bytes from one row to the next
	Pix           []byte
}

// Subsampling says how many pixels share a chroma sample. It means nothing for gray images.
type Subsampling uint8

const (
	// Chroma420 keeps one chroma sample for 2 x 2 pixels.
	Chroma420 Subsampling = iota
	// Chroma444 keeps a chroma sample for every pixel.
	Chroma444
)

// DefaultQuality is what a Quality of 0 stands for.
const DefaultQuality = 75

// Options say how much may be lost.
type Options struct {
	Quality     int // 1 to 100, or 0 for DefaultQuality
	Subsampling Subsampling
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
