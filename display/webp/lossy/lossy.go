// Package lossy writes pictures as key frames of VP8, which is what a lossy WebP file holds, from rows of gray, RGB or
// RGBA. It must never know of the file around the frame, of opacity, or of what the pictures are part of.
package lossy

import (
	"errors"
	"fmt"
)

// ErrImage is in the chain of every error about a picture that cannot be written as it is described.
var ErrImage = errors.New("lossy: invalid image")

// Format is what a pixel consists of.
type Format int

const (
	Gray Format = iota
	RGB
	RGBA // not premultiplied; what cannot be seen at all may come out in any colour
)

// samples is how many bytes a pixel takes, 0 for what is no format.
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

// Image is a picture whose rows are Stride bytes apart.
type Image struct {
	Format        Format
	Width, Height int
	Stride        int
	Pix           []byte
}

const maxSide = 1<<14 - 1 // pixels; the header of a frame has 14 bits for each side

// check tells whether all pixels are there.
func (m *Image) check() error {
	samples := m.Format.samples()
	switch {
	case samples == 0:
		return fmt.Errorf("%w: format %d", ErrImage, m.Format)
	case m.Width < 1 || m.Height < 1 || m.Width > maxSide || m.Height > maxSide:
		return fmt.Errorf("%w: %d x %d pixels", ErrImage, m.Width, m.Height)
	case m.Height > 1 && m.Stride < m.Width*samples:
		return fmt.Errorf("%w: %d bytes from row to row of %d pixels of %d samples", ErrImage, m.Stride, m.Width, samples)
	case len(m.Pix) < m.Width*samples || m.Height > 1 && (len(m.Pix)-m.Width*samples)/m.Stride < m.Height-1:
		return fmt.Errorf("%w: %d bytes for %d rows of %d", ErrImage, len(m.Pix), m.Height, m.Stride)
	}
	return nil
}

// row is the pixels of a row.
func (m *Image) row(y int) []byte { return m.Pix[y*m.Stride:][:m.Width*m.Format.samples()] }

// Encoder keeps its memory from one picture to the next. The zero value is ready; one goroutine at a time may use it.
type Encoder struct {
	source      picture // what is to be shown
	rebuilt     picture // what a decoder will have, before it smooths edges
	unseen      patch
	settings    settings
	modeEfforts [subblockModes][subblockModes][16]int32 // for modes of subblocks, by those above and to the left

	columns, rows int // of macroblocks
	modes         modeContext
	above         []edge // by column
	left          edge
	work          work

	emptyCount uint32 // macroblocks without coefficients
	modeTokens []byte // what the first partition says of macroblocks
	tokens     tokens
	overflown  bool // there were too many tokens to keep
	writer     boolWriter
	oddRows    []byte // the coefficients of odd rows of macroblocks
}

// Encode appends a frame to dst. The quality is from 1 to 100, and means about what it means to libwebp. On an error it
// returns dst as it was.
func (e *Encoder) Encode(dst []byte, img *Image, quality int) ([]byte, error) {
	if err := img.check(); err != nil {
		return dst, err
	}
	if quality < 1 || quality > 100 {
		return dst, fmt.Errorf("%w: quality %d", ErrImage, quality)
	}
	return e.encode(dst, img, settingsOf(quality))
}

// encode tries with ever fewer modes until the first partition, whose size has 19 bits, is small enough. With one mode it
// takes less than four bits a macroblock, which is enough for the largest picture.
func (e *Encoder) encode(dst []byte, img *Image, s settings) ([]byte, error) {
	e.settings = s
	e.weighModes()
	e.reset(img.Width, img.Height)
	e.convert(img)
	for ; e.settings.restraint <= oneModeOnly; e.settings.restraint++ {
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
	e.rebuilt.reset(e.columns, e.rows)
	e.above = sized(e.above, e.columns)
	e.modes.above = sized(e.modes.above, 4*e.columns)
}
