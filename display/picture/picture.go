package picture

import (
	"errors"
	"fmt"

	"tileserver/internal/reuse"
	"tileserver/raster"
)

// PixelFormat is the layout of a pixel in bytes.
type PixelFormat uint8

// The pixel formats. The samples of a pixel are adjacent. Colors are not premultiplied. Samples
// have eight bits, or 16 bits in big-endian order.
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

// IsDeep reports whether samples have 16 bits.
func (f PixelFormat) IsDeep() bool { return f >= Gray16 }

// BytesPerPixel returns the number of bytes of a pixel.
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

// A Picture holds pixels to show. Colors of fully transparent pixels are 0, so that nodata samples
// cannot reappear. A picture has one owner.
type Picture struct {
	Width, Height int
	Stride        int // from one row to the next
	Format        PixelFormat
	Pix           []uint8
	Palette       *[256]raster.RGBA // for Paletted; read-only

	buffer  []uint8 // holds Pix; reused from picture to picture
	release func()
}

// New returns a picture without pixels. Release calls the given function, which may reuse the
// memory of the picture.
func New(release func()) Picture { return Picture{release: release} }

// ErrPicture matches every error about a picture whose fields contradict each other.
var ErrPicture = errors.New("invalid picture")

// ErrOutside is returned for a crop that is not within its picture.
var ErrOutside = errors.New("outside the picture")

// Crop reduces p to a rectangle of itself. It moves no pixels.
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

// maxPooledPixels is the largest picture whose memory is reused. It covers tiles. The memory of a
// picture of a whole screen would stay allocated as long as the process runs.
const maxPooledPixels = 1 << 20

// Release lets later pictures reuse the memory of p, which must not be used afterwards. Releasing a
// picture is optional.
func (p *Picture) Release() {
	if p.release != nil && p.Width*p.Height <= maxPooledPixels {
		p.release()
	}
}

// Reshape makes p an uncropped picture with undefined pixels.
func (p *Picture) Reshape(width, height int, format PixelFormat) {
	p.Width, p.Height, p.Format, p.Palette = width, height, format, nil
	p.Stride = width * format.BytesPerPixel()
	p.buffer = reuse.Slice(p.buffer, p.Stride*height)
	p.Pix = p.buffer
}

// validate returns an error unless all rows of p lie within Pix.
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

// Row returns the bytes of a row.
func (p *Picture) Row(y int) []uint8 {
	return p.Pix[y*p.Stride:][:p.Width*p.Format.BytesPerPixel()]
}
