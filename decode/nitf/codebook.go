package nitf

import (
	"context"
	"errors"
	"fmt"

	"tileserver/codec/vq"
	"tileserver/decode"
	"tileserver/decode/blocks"
	"tileserver/source"
)

// vectorQuantization is a compression that only this format has.
const vectorQuantization blocks.Compression = "vector quantization"

// maxCodebookBytes bounds the codebook of an image: four tables of 4096 rows of four pixels, with
// their header.
const maxCodebookBytes = 80 << 10

// readCodebook reads the codebook at the beginning of a range, and makes it the codec of the image.
// It returns the size of the codebook and of a block. Of an image whose codebook is cut off, blocks
// cannot be decoded, but those that are not stored are known.
func (m *blockImage) readCodebook(ctx context.Context, from source.Range) (size, block int64, err error) {
	from.Length = min(from.Length, maxCodebookBytes)
	parts, err := m.file.src.ReadRanges(ctx, []source.Range{from})
	if err != nil {
		return 0, 0, err
	}
	h, err := vq.ParseHeader(parts[0])
	if err != nil {
		return 0, 0, quantizationError(err)
	}
	if h.Width() != m.grid.storedWidth || h.Height() != m.grid.storedHeight {
		return 0, 0, fmt.Errorf("codes of %dx%d pixels in blocks of %dx%d: %w", h.Width(), h.Height(), m.grid.storedWidth, m.grid.storedHeight, vq.ErrCorrupt)
	}
	book, err := h.Codebook(parts[0])
	codec := bookCodec{book, quantizationError(err)}
	m.coding.codecs = blocks.Registry{vectorQuantization: codec}
	return int64(h.Bytes), int64(h.BlockBytes()), nil
}

// bookCodec decodes blocks by a codebook, unless that is damaged.
type bookCodec struct {
	book *vq.Codebook
	err  error
}

// Decode writes the pixels of the codes to the target.
func (c bookCodec) Decode(job *blocks.Job) error {
	if c.err != nil {
		return c.err
	}
	t := job.Target
	_, err := c.book.Decode(t.Plane(job.FirstBand), job.Source, t.Width(), t.Height())
	return quantizationError(err)
}

func quantizationError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, vq.ErrUnsupported):
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	}
	return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
}
