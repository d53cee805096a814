// Package webp writes map tiles as lossy WebP. It knows pixels and bytes only, and hides
// which encoder makes the one of the other.
package webp

import (
	"bytes"
	"errors"
	"fmt"
	"image"

	library "github.com/gen2brain/webp"
)

// ErrImage is in the chain of every error about an image that cannot be written as it is
// described.
var ErrImage = errors.New("webp: invalid image")

const (
	// DefaultQuality is what a quality of 0 stands for.
	DefaultQuality = 75

	maxSide = 16383 // pixels; a frame header has 14 bits for each side

	// fastest is the least search for a smaller file: the next step takes twice as long for
	// a tenth of the bytes.
	fastest = 0
)

// Encoder keeps its buffers from one picture to the next. The zero value is ready; it must
// not be used by two goroutines at once.
type Encoder struct{ file bytes.Buffer }

// Encode appends rows of RGBA without gaps, not premultiplied, as a WebP file to dst. The
// quality is from 1 to 100, or 0. On an error it returns dst as it was.
func (e *Encoder) Encode(dst, pixels []byte, width, height, quality int) ([]byte, error) {
	if width < 1 || height < 1 || width > maxSide || height > maxSide {
		return dst, fmt.Errorf("%w: %d x %d pixels", ErrImage, width, height)
	}
	if len(pixels) != 4*width*height {
		return dst, fmt.Errorf("%w: %d bytes for %d x %d pixels", ErrImage, len(pixels), width, height)
	}
	if quality < 0 || quality > 100 {
		return dst, fmt.Errorf("%w: quality %d", ErrImage, quality)
	}
	if quality == 0 {
		quality = DefaultQuality
	}
	e.file.Reset()
	img := &image.NRGBA{Pix: pixels, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)}
	if err := library.Encode(&e.file, img, library.Options{Quality: quality, Method: fastest}); err != nil {
		return dst, fmt.Errorf("webp: %w", err)
	}
	return append(dst, e.file.Bytes()...), nil
}
