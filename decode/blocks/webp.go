package blocks

import (
	"errors"
	"fmt"
	"sync"

	webp "tileserver/codec/webp/decoder"
	"tileserver/decode"
)

// webpDecoders pools decoders with their working memory.
type webpDecoders struct{ free sync.Pool }

func newWebP() *webpDecoders {
	return &webpDecoders{sync.Pool{New: func() any { return new(webp.Decoder) }}}
}

// webpScratchBytes returns the maximum memory beside the rows. A lossy picture needs planes of
// whole macroblocks, its alpha, and the alpha once more as lossless pixels. A lossless picture
// needs the blocks of its codes and transforms. The size of the codes themselves does not follow
// from the picture's size; package webp bounds it.
func webpScratchBytes(l *Layout, rows int) float64 {
	const macroblock, borders, maxPixelBytes = 16, 32, 8
	return (roundedUp(l.Width, macroblock) + borders) * (roundedUp(rows, macroblock) + 1) * maxPixelBytes
}

// decompress writes rows of RGB, or RGBA if the layout has four samples. Opaque pictures may omit
// alpha.
func (d *webpDecoders) decompress(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 3 && l.Samples != 4 || l.Bits != 8 || l.Type.Size() != 1 || l.Predictor > NoPredictor {
		return 0, fmt.Errorf("WebP of %d samples of %d-bit %v: %w", l.Samples, l.Bits, l.Type, decode.ErrUnsupported)
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
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	}
	return err
}
