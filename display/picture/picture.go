package picture

import (
	"errors"
	"fmt"

	"tileserver/raster"
)

// PixelFormat is how the bytes of a picture make pixels.
type PixelFormat uint8

// The formats have the samples of a pixel side by side, and colours that are not
// premultiplied by their opacity. Samples are of eight bits, or of 16 with the higher eight
// first.
const (
	Gray PixelFormat = iota
	GrayAlpha
	RGB
	RGBA
	Paletted
	Gray16
	GrayAlpha16
	RGB16
	RGBA16

	pixelFormats
)

// IsDeep tells whether samples are of 16 bits.
func (f PixelFormat) IsDeep() bool { return f >= Gray16 }

// BytesPerPixel is the number of bytes of a pixel.
func (f PixelFormat) BytesPerPixel() int {
	switch f {
	case GrayAlpha, Gray16:
		return 2
	case RGB:
		return 3
	case RGBA, GrayAlpha16:
		return 4
	case RGB16:
		return 6
	case RGBA16:
		return 8
	}
	return 1
}

// Picture is pixels to look at. Where it is wholly transparent its colours are 0, so that
// nothing that was never data shows up again. It has one owner.
type Picture struct {
	Width, Height int
	Stride        int // bytes from one row to the next
	Format        PixelFormat
	Pix           []uint8
	Palette       *[256]raster.RGBA // of Paletted; not to be written

	memory  []uint8 // that Pix is part of, kept from picture to picture
	release func()
}

// New returns a picture without pixels. What is to be done with its memory when nobody
// needs it any more, release says.
func New(release func()) Picture { return Picture{release: release} }

// ErrPicture is in the chain of every error about a picture that is not what it says.
var ErrPicture = errors.New("invalid picture")

// ErrOutside is what a crop gets that is not wholly within its picture.
var ErrOutside = errors.New("outside the picture")

// Crop leaves a part of p. It moves no pixels.
func (p *Picture) Crop(x, y, width, height int) error {
	if x < 0 || y < 0 || width < 1 || height < 1 || x > p.Width-width || y > p.Height-height {
		return fmt.Errorf("%dx%d at %d,%d of %dx%d: %w", width, height, x, y, p.Width, p.Height, ErrOutside)
	}
	bytesPerPixel := p.Format.BytesPerPixel()
	first := y*p.Stride + x*bytesPerPixel
	p.Pix = p.Pix[first : first+(height-1)*p.Stride+width*bytesPerPixel]
	p.Width, p.Height = width, height
	return nil
}

// maxKeptPixels is the largest picture whose memory is kept for others: a tile's is, that of
// a view of a whole screen would stay for as long as the process.
const maxKeptPixels = 1 << 20

// Release gives the memory of p to pictures to come; p must not be used any more. A picture
// that is never released costs no more than its memory.
func (p *Picture) Release() {
	if p.release != nil && p.Width*p.Height <= maxKeptPixels {
		p.release()
	}
}

// Reshape makes p an uncropped picture of unknown pixels.
func (p *Picture) Reshape(width, height int, format PixelFormat) {
	p.Width, p.Height, p.Format, p.Palette = width, height, format, nil
	p.Stride = width * format.BytesPerPixel()
	p.memory = sized(p.memory, p.Stride*height)
	p.Pix = p.memory
}

// validate returns an error unless all rows of p lie in its bytes.
func (p *Picture) validate() error {
	if p.Format >= pixelFormats || p.Format == Paletted && p.Palette == nil {
		return fmt.Errorf("%w: format %d", ErrPicture, p.Format)
	}
	rowBytes := p.Width * p.Format.BytesPerPixel()
	if p.Width < 1 || p.Height < 1 || p.Stride < rowBytes || rowBytes > len(p.Pix) || (len(p.Pix)-rowBytes)/p.Stride < p.Height-1 {
		return fmt.Errorf("%w: %dx%d pixels of format %d in %d bytes, a row every %d",
			ErrPicture, p.Width, p.Height, p.Format, len(p.Pix), p.Stride)
	}
	return nil
}

// Row is the bytes of a row.
func (p *Picture) Row(y int) []uint8 {
	return p.Pix[y*p.Stride:][:p.Width*p.Format.BytesPerPixel()]
}

// sized is buffer with another length, made anew where it is too short.
func sized(buffer []uint8, length int) []uint8 {
	if cap(buffer) < length {
		return make([]uint8, length)
	}
	return buffer[:length]
}
