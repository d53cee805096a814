package blocks

import (
	"errors"
	"fmt"
	"sync"

	"tileserver/codec/ccitt"
	"tileserver/decode"
	"tileserver/raster"
)

// ccittDecoders pools decoders. Each holds buffers as long as the widest row it has decoded.
type ccittDecoders struct {
	scheme ccitt.Scheme
	free   sync.Pool
}

func newCCITT(scheme ccitt.Scheme) *ccittDecoders {
	return &ccittDecoders{scheme, sync.Pool{New: func() any { return new(ccitt.Decoder) }}}
}

// ccittScratchBytes returns the memory for the decoder's two working rows. The decompressed rows
// are counted separately.
func ccittScratchBytes(l *Layout, stored int64) float64 {
	return float64(ccitt.WorkBytes(l.Width, stored))
}

// decompress writes rows of bits in which 1 is black.
func (d *ccittDecoders) decompress(dst, src []byte, job *Job) (int, error) {
	l := job.Layout
	if l.Samples != 1 || l.Bits != 1 || l.Predictor > NoPredictor {
		return 0, fmt.Errorf("CCITT fax of %d samples of %d bits: %w", l.Samples, l.Bits, decode.ErrUnsupported)
	}
	decoder := d.free.Get().(*ccitt.Decoder)
	defer d.free.Put(decoder)
	rows, err := decoder.Decode(dst, src, ccitt.Params{
		Scheme: d.scheme, Width: l.Width, Rows: job.Rows, TwoDimensional: l.FaxTwoDimensional, Resume: job.TakesParts,
	})
	if err == nil || job.hasSoundPart(err) {
		for _, b := range decoder.Breaks() {
			job.lose(b.Row, b.Pixel, raster.Loss{Kind: lostRow, Text: fmt.Sprintf("row %d is damaged from pixel %d on", b.Row, b.Pixel)})
		}
	}
	if errors.Is(err, ccitt.ErrUnsupported) {
		err = fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	}
	return allowMissingRows(rows, err, errors.Is(err, ccitt.ErrTruncated), job)
}
