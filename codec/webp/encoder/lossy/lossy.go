// Package lossy encodes gray, RGB or RGBA pictures as VP8 key frames, the content of lossy WebP
// files. Package codec/webp/encoder calls it and writes the container. It knows nothing about the
// container, and alpha only guides its handling of invisible pixels.
//
// Words: a *level* is a quantized coefficient. A *token* is a bit to be written together with the
// index of its probability. The *effort* estimates the cost of coding a difference (see effort.go).
package lossy

import (
	"errors"
	"fmt"

	"tileserver/codec/webp/vp8"
	"tileserver/internal/reuse"
)

// ErrImage is wrapped by every error about an invalid image description.
var ErrImage = errors.New("lossy: invalid image")

// Format is the layout of a pixel.
type Format int

const (
	Gray Format = iota
	RGB
	RGBA // not premultiplied; the color of fully transparent pixels is not preserved
)

// samples returns the number of bytes per pixel, or 0 for an unknown format.
func (f Format) samples() int {
	switch f {
	case Gray:
		return 1
	case RGB:
		return 3
	case RGBA:
		return 4
	}
	return 0
}

// Image describes a picture whose rows are Stride bytes apart.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int
	Pix           []byte
}

const maxSide = 1<<14 - 1 // in pixels; the frame header has 14 bits for each side

// check returns an error if the description is invalid or pixels are missing.
func (m *Image) check() error {
	samples := m.Format.samples()
	switch {
	case samples == 0:
		return fmt.Errorf("%w: format %d", ErrImage, m.Format)
	case m.Width < 1 || m.Height < 1 || m.Width > maxSide || m.Height > maxSide:
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, m.Width, m.Height)
	case m.Height > 1 && m.Stride < m.Width*samples:
		return fmt.Errorf("%w: stride %d for rows of %d pixels of %d samples", ErrImage, m.Stride, m.Width, samples)
	case len(m.Pix) < m.Width*samples || m.Height > 1 && (len(m.Pix)-m.Width*samples)/m.Stride < m.Height-1:
		return fmt.Errorf("%w: %d bytes for %d rows of %d", ErrImage, len(m.Pix), m.Height, m.Stride)
	}
	return nil
}

// row returns the pixels of a row.
func (m *Image) row(y int) []byte { return m.Pix[y*m.Stride:][:m.Width*m.Format.samples()] }

// Encoder encodes pictures and reuses its memory. The zero value is ready to use. It is not safe
// for concurrent use.
type Encoder struct {
	source        picture // the planes of the picture
	reconstructed picture // the planes as a decoder computes them, before its loop filter
	hidden        hiddenPixels
	settings      settings
	// Costs of subblock modes, by the modes above and to the left.
	modeEfforts [vp8.SubblockModes][vp8.SubblockModes][16]int32

	columns, rows int // in macroblocks
	modes         modeContext
	above         []edge // by column
	left          edge
	workspace     workspace

	emptyCount    uint32 // number of macroblocks without coefficients
	modeTokens    []byte // tokens of the first partition
	tokens        tokens
	hasOverflowed bool // there were too many tokens to store
	writer        boolWriter
	oddRows       []byte // encoded coefficients of the odd rows of macroblocks
}

// Encode appends a frame to dst. The quality ranges from 1 to 100, on about the same scale as in
// libwebp. If it fails, it returns dst unchanged.
func (e *Encoder) Encode(dst []byte, img *Image, quality int) ([]byte, error) {
	if err := img.check(); err != nil {
		return dst, err
	}
	if quality < 1 || quality > 100 {
		return dst, fmt.Errorf("%w: quality %d", ErrImage, quality)
	}
	return e.encode(dst, img, settingsOf(quality))
}

// encode encodes with fewer and fewer modes until the first partition fits its size limit. With a
// single mode it takes less than four bits per macroblock, which fits for the largest picture.
func (e *Encoder) encode(dst []byte, img *Image, s settings) ([]byte, error) {
	e.settings = s
	e.computeModeEfforts()
	e.reset(img.Width, img.Height)
	e.convert(img)
	for ; e.settings.restriction <= oneModeOnly; e.settings.restriction++ {
		e.encodeMacroblocks()
		if frame, ok := e.appendFrame(dst, img.Width, img.Height); ok {
			return frame, nil
		}
	}
	return dst, fmt.Errorf("%w: the modes of %d macroblocks take more than %d bytes", ErrImage, e.columns*e.rows, s.firstPartitionLimit)
}

func (e *Encoder) reset(width, height int) {
	e.columns, e.rows = (width+15)/16, (height+15)/16
	e.source.reset(e.columns, e.rows)
	e.reconstructed.reset(e.columns, e.rows)
	e.above = reuse.Slice(e.above, e.columns)
	e.modes.above = reuse.Slice(e.modes.above, 4*e.columns)
}
