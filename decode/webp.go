package decode

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/decode/webp"
)

// webpDecoders keeps decoders, with their memory, for reuse.
type webpDecoders struct{ free sync.Pool }

func newWebP() *webpDecoders {
	return &webpDecoders{sync.Pool{New: func() any { return new(webp.Decoder) }}}
}

// webpScratchBytes is beside the rows: the planes of a lossy picture in whole
// macroblocks, its opacity, and that once more as pixels of a lossless one, with the
// parts that these have codes and transforms for. The codes themselves, which are of
// no size that pixels tell, are not in it; package webp bounds them.
func webpScratchBytes(l *Layout, rows int) float64 {
	const macroblock, borders, mostPixelBytes = 16, 32, 8
	return (roundedUp(l.Width, macroblock) + borders) * (roundedUp(rows, macroblock) + 1) * mostPixelBytes
}

// decompress writes rows of red, green and blue, and opacity if there are four
// samples: pictures that are opaque may leave it out.
func (d *webpDecoders) decompress(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 3 && l.Samples != 4 || l.Bits != 8 || l.Type.Size() != 1 || l.Predictor > NoPredictor {
		return 0, fmt.Errorf("WebP of %d samples of %d-bit %v: %w", l.Samples, l.Bits, l.Type, ErrUnsupported)
	}
	h, err := webp.ReadHeader(src)
	if err != nil {
		return 0, webpError(err)
	}
	if h.Width != l.Width || h.Height < job.Target.Height() || h.Height > job.Rows {
		return 0, fmt.Errorf("WebP of %dx%d in a block of %dx%d", h.Width, h.Height, l.Width, job.Rows)
	}
	n := h.Height * l.RowBytes()
	decoder := d.free.Get().(*webp.Decoder)
	defer d.free.Put(decoder)
	return n, webpError(decoder.Decode(dst[:n], src, h.Width, h.Height, l.Samples))
}

func webpError(err error) error {
	if errors.Is(err, webp.ErrUnsupported) {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return err
}
