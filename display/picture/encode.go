package picture

import (
	"errors"
	"fmt"
	"sync"

	jpeg "tileserver/codec/jpeg/encoder"
	"tileserver/codec/png"
	webp "tileserver/codec/webp/encoder"
	"tileserver/internal/reuse"
	"tileserver/raster"
)

// Options control the encoding of a picture. The zero value is the default.
type Options struct {
	// Quality is from 1 to 100, for JPEG and WebP. 0 is DefaultQuality.
	Quality int

	// Background is drawn behind transparent pixels in formats without transparency. The zero
	// RGBA stands for white. Its opacity is ignored.
	Background raster.RGBA

	FullChroma bool // for JPEG: no chroma subsampling
	Lossless   bool // for WebP
}

// DefaultQuality is used for a quality of 0.
const DefaultQuality = 75

// ErrOptions matches every error about invalid options.
var ErrOptions = errors.New("invalid options")

// An Encoder encodes pictures. The zero value is ready to use, and it is safe for concurrent use.
// It reuses the memory of previous encodings.
type Encoder struct{ states sync.Pool } // of *encoderState

// encoderState is the memory of one encoding.
type encoderState struct {
	png     png.Encoder
	jpeg    jpeg.Encoder
	webp    webp.Encoder
	pixels  []uint8 // of a picture converted to another format
	row     []uint8 // one row of RGBA
	palette [256][4]uint8
}

// Encode appends an encoded picture to dst. On an error it returns dst unchanged.
func (e *Encoder) Encode(dst []byte, p *Picture, f FileFormat, o Options) ([]byte, error) {
	if o.Quality < 0 || o.Quality > 100 {
		return dst, fmt.Errorf("%w: quality must be from 1 to 100, not %d", ErrOptions, o.Quality)
	}
	if err := p.validate(); err != nil {
		return dst, err
	}
	if p.Format.IsDeep() && f != PNG {
		return dst, fmt.Errorf("%w: %v cannot store 16-bit samples", ErrOptions, f)
	}
	state, _ := e.states.Get().(*encoderState)
	if state == nil {
		state = new(encoderState)
	}
	if p.Width*p.Height <= maxPooledPixels {
		defer e.states.Put(state)
	}
	var err error
	switch f {
	case PNG:
		dst, err = state.encodePNG(dst, p)
	case JPEG:
		dst, err = state.encodeJPEG(dst, p, o)
	case WebP:
		dst, err = state.encodeWebP(dst, p, o)
	default:
		err = fmt.Errorf("%w %d", ErrUnknownFormat, f)
	}
	if err != nil {
		return dst, fmt.Errorf("encode %dx%d pixels as %v: %w", p.Width, p.Height, f, err)
	}
	return dst, nil
}

// Blank returns an encoded picture that is fully transparent, or that has the background color if
// the format has no transparency.
func (e *Encoder) Blank(f FileFormat, width, height int, o Options) ([]byte, error) {
	if width < 1 || height < 1 || width > maxBlankPixels/height {
		return nil, fmt.Errorf("%w: blank, of %dx%d pixels", ErrPicture, width, height)
	}
	var p Picture
	p.Reshape(width, height, GrayAlpha)
	return e.Encode(nil, &p, f, o)
}

// maxBlankPixels limits the memory of a blank picture.
const maxBlankPixels = 1 << 26

var pngFormats = [...]png.Format{
	Gray: png.Gray, GrayAlpha: png.GrayAlpha, RGB: png.RGB, RGBA: png.RGBA, Paletted: png.Paletted,
	Gray16: png.Gray16, GrayAlpha16: png.GrayAlpha16, RGB16: png.RGB16, RGBA16: png.RGBA16,
}

func (s *encoderState) encodePNG(dst []byte, p *Picture) ([]byte, error) {
	img := png.Image{Format: pngFormats[p.Format], Width: p.Width, Height: p.Height, Stride: p.Stride, Pix: p.Pix, Palette: s.paletteOf(p)}
	return s.png.Encode(dst, &img)
}

func (s *encoderState) encodeJPEG(dst []byte, p *Picture, o Options) ([]byte, error) {
	img := jpeg.Image{Format: jpeg.RGB, Width: p.Width, Height: p.Height, Stride: p.Stride, Pix: p.Pix}
	switch p.Format {
	case Gray:
		img.Format = jpeg.Gray
	case RGB:
	default:
		background := o.Background
		if background == (raster.RGBA{}) {
			background = raster.RGBA{R: 255, G: 255, B: 255}
		}
		s.pixels = reuse.Slice(s.pixels, 3*p.Width*p.Height)
		s.row = reuse.Slice(s.row, 4*p.Width)
		flatten(s.pixels, s.row, p, background)
		img.Stride, img.Pix = 3*p.Width, s.pixels
	}
	options := jpeg.Options{Quality: o.Quality}
	if o.FullChroma {
		options.Subsampling = jpeg.Chroma444
	}
	return s.jpeg.Encode(dst, &img, options)
}

var webpFormats = [...]webp.Format{Gray: webp.Gray, GrayAlpha: webp.GrayAlpha, RGB: webp.RGB, RGBA: webp.RGBA, Paletted: webp.Paletted}

func (s *encoderState) encodeWebP(dst []byte, p *Picture, o Options) ([]byte, error) {
	img := webp.Image{Format: webpFormats[p.Format], Width: p.Width, Height: p.Height, Stride: p.Stride, Pix: p.Pix, Palette: s.paletteOf(p)}
	return s.webp.Encode(dst, &img, webp.Options{Quality: o.Quality, Lossless: o.Lossless})
}

// paletteOf returns the palette of a paletted picture, or nil.
func (s *encoderState) paletteOf(p *Picture) [][4]uint8 {
	if p.Format != Paletted {
		return nil
	}
	for i, c := range p.Palette {
		s.palette[i] = [4]uint8{c.R, c.G, c.B, c.A}
	}
	return s.palette[:]
}
