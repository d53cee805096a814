package blocks

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"tileserver/codec/lerc"
	"tileserver/decode"
	"tileserver/decode/rows"
	"tileserver/raster"
)

// lercCodec decodes LERC. The samples of a pixel are the values of one LERC band, or one LERC band
// each, or one of them is the mask.
type lercCodec struct {
	decoders      sync.Pool
	scratch       *scratchPool
	decompressors map[Compression]decompress
}

func newLERC(scratch *scratchPool, decompressors map[Compression]decompress) *lercCodec {
	return &lercCodec{sync.Pool{New: func() any { return new(lerc.Decoder) }}, scratch, decompressors}
}

var _ Codec = (*lercCodec)(nil)

// Decode checks the size that the stream claims before it allocates anything.
func (c *lercCodec) Decode(job *Job) error {
	if err := job.checkNoColumns(); err != nil {
		return err
	}
	if l := job.Layout; !l.hasMemorySize() || l.Type.IsComplex() || l.Predictor > NoPredictor {
		return fmt.Errorf("LERC of %d-bit %v with predictor %d: %w", l.Bits, l.Type, l.Predictor, decode.ErrUnsupported)
	}
	source, release, err := c.unwrap(job)
	if err != nil {
		return err
	}
	defer release()
	h, err := lerc.ReadHeader(source)
	if err != nil {
		return lercError(err)
	}
	if err := checkLERC(&h, job); err != nil {
		return err
	}
	sampleBytes := (h.SampleBytes() + 7) &^ 7
	buffer := c.scratch.get(sampleBytes + h.MaskBytes())
	defer c.scratch.put(buffer)
	b := lercBlock{header: &h, samples: buffer.bytes(h.SampleBytes())}
	if !h.AllValid {
		b.mask = buffer.bytes(sampleBytes + h.MaskBytes())[sampleBytes:]
	}
	decoder := c.decoders.Get().(*lerc.Decoder)
	defer c.decoders.Put(decoder)
	if err := decoder.Decode(b.samples, b.mask, source); err != nil {
		return lercError(err)
	}
	if job.Layout.BigEndian {
		reverseBytes(b.samples, job.Layout.Bits) // libtiff gives LERC the samples in file order
	}
	b.write(job)
	return nil
}

// unwrap undoes the second compression of a stream. Its result is bounded by maxLERCBytes. The
// caller must call release when it is done with source.
func (c *lercCodec) unwrap(job *Job) (source []byte, release func(), err error) {
	source, release = job.source(), func() {}
	if job.Layout.LERCCompression == "" {
		return source, release, nil
	}
	decompress := c.decompressors[job.Layout.LERCCompression]
	if decompress == nil {
		return nil, nil, fmt.Errorf("LERC within %s: %w", job.Layout.LERCCompression, decode.ErrUnsupported)
	}
	size := maxLERCBytes(job.Layout.BlockBytes(job.Rows))
	buffer := c.scratch.get(size)
	n, err := decompress(buffer.bytes(size), source)
	if err != nil && !errors.Is(err, errLonger) {
		c.scratch.put(buffer)
		return nil, nil, fmt.Errorf("%w: around LERC: %w", decode.ErrCorruptBlock, err)
	}
	return buffer.bytes(n), func() { c.scratch.put(buffer) }, nil
}

// maxLERCBytes returns the maximum length of a LERC stream for so many bytes of samples.
func maxLERCBytes[T int | float64](samples T) T {
	const headerBytes = 4096
	return samples + samples/2 + headerBytes
}

// lercScratchBytes counts the samples, their mask and the decoder's working memory (one byte per
// sample each), and the LERC stream if it was compressed a second time.
func lercScratchBytes(l *Layout, rows int) float64 {
	n := l.blockBytes(rows) + 2*float64(l.Width)*float64(rows)*float64(l.Samples)
	if l.LERCCompression != "" {
		n += maxLERCBytes(l.blockBytes(rows))
	}
	return n
}

// checkLERC returns an error if the stream does not fit the block.
func checkLERC(h *lerc.Header, job *Job) error {
	l := job.Layout
	want, known := lerc.TypeOf(l.Type)
	samples := h.Bands * h.Depth
	alphaIsMask := samples == l.Samples-1 && h.Bands == 1 && l.Type == raster.Uint8
	switch {
	case h.Width != l.Width || h.Height < job.Target.Height() || h.Height > job.Rows:
		return fmt.Errorf("LERC of %dx%d in a block of %dx%d: %w", h.Width, h.Height, l.Width, job.Rows, decode.ErrCorruptBlock)
	case !known || h.Type != want:
		return fmt.Errorf("LERC of %v in a block of %v: %w", h.Type, l.Type, decode.ErrCorruptBlock)
	case h.Bands != 1 && h.Depth != 1 || samples != l.Samples && !alphaIsMask:
		return fmt.Errorf("LERC of %d bands of %d values in a block of %d samples: %w", h.Bands, h.Depth, l.Samples, decode.ErrCorruptBlock)
	case samples == l.Samples && !h.AllValid && !l.Type.IsFloat():
		return fmt.Errorf("LERC of %v with a mask: %w", l.Type, decode.ErrUnsupported)
	}
	return nil
}

func lercError(err error) error {
	if errors.Is(err, lerc.ErrUnsupported) {
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	}
	return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
}

// lercBlock is a decoded stream. Its samples are ordered by band, then pixel, then value.
type lercBlock struct {
	header  *lerc.Header
	samples []byte
	mask    []byte // one byte per pixel, band after band; nil if all pixels are valid
}

// write copies the samples to the planes of job. Invalid floats become NaN, as in libtiff.
func (b *lercBlock) write(job *Job) {
	const notANumber32, notANumber64 = 0x7fc00000, 0x7ff8 << 48
	switch job.Layout.Type {
	case raster.Float32:
		writeLERC[uint32](b, job, notANumber32)
	case raster.Float64:
		writeLERC[uint64](b, job, notANumber64)
	case raster.Uint8, raster.Int8:
		writeLERC[uint8](b, job, 0)
	case raster.Uint16, raster.Int16:
		writeLERC[uint16](b, job, 0)
	case raster.Uint32, raster.Int32:
		writeLERC[uint32](b, job, 0)
	}
}

func writeLERC[T word](b *lercBlock, job *Job, missing T) {
	samples, width := asWords[T](b.samples), job.Target.Width()
	depth, pixels := b.header.Depth, b.header.Width*b.header.Height
	for i, plane := range targetPlanes[T](job) {
		band, value := job.Samples[i]/depth, job.Samples[i]%depth
		for y := range job.Target.Height() {
			row, first := plane[y*width:][:width], y*b.header.Width
			if band == b.header.Bands {
				alphaFromMask(row, b.mask, first)
				continue
			}
			rows.Pick(row, samples[(band*pixels+first)*depth+value:], depth)
			writeMissing(row, b.maskOf(band), first, missing)
		}
	}
}

// maskOf returns the mask of a band, or nil if all of its pixels are valid.
func (b *lercBlock) maskOf(band int) []byte {
	if b.mask == nil {
		return nil
	}
	pixels := b.header.Width * b.header.Height
	return b.mask[band*pixels:][:pixels]
}

// alphaFromMask fills a row of the alpha band from a mask, beginning at the mask's pixel first.
func alphaFromMask[T word](row []T, mask []byte, first int) {
	for x := range row {
		row[x] = math.MaxUint8
		if mask != nil {
			row[x] = T(mask[first+x])
		}
	}
}

// writeMissing writes missing over the pixels that a mask marks as invalid. The row begins at the
// mask's pixel first.
func writeMissing[T word](row []T, mask []byte, first int, missing T) {
	if mask == nil || missing == 0 {
		return
	}
	for x, valid := range mask[first:][:len(row)] {
		if valid == 0 {
			row[x] = missing
		}
	}
}
