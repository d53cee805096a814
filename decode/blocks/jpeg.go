package blocks

import (
	"errors"
	"fmt"
	"math"
	"sync"

	jpeg "tileserver/codec/jpeg/decoder"
	"tileserver/decode"
	"tileserver/raster"
)

// jpegCodec decodes JPEG streams of every process that package jpeg knows. The file around a stream
// says what its colors are. The codec never guesses them from markers or component names, as other
// decoders do.
type jpegCodec struct{ decoders sync.Pool }

func newJPEG() *jpegCodec {
	return &jpegCodec{sync.Pool{New: func() any { return new(jpeg.Decoder) }}}
}

var _ Codec = (*jpegCodec)(nil)

func (c *jpegCodec) decoder() *jpeg.Decoder { return c.decoders.Get().(*jpeg.Decoder) }

// put keeps a decoder for other blocks, without the memory of the last one.
func (c *jpegCodec) put(decoder *jpeg.Decoder) {
	decoder.Release()
	c.decoders.Put(decoder)
}

// Decode checks the size that the stream claims before it allocates anything.
func (c *jpegCodec) Decode(job *Job) error {
	decoder := c.decoder()
	defer c.put(decoder)
	frame, err := openJPEG(decoder, job)
	if err != nil {
		return err
	}
	sound, err := decodeJPEG(decoder, frame, job)
	switch {
	case errors.Is(err, jpeg.ErrCorrupt):
		if err := job.endsAtRow(sound, err); err != nil {
			return err
		}
	case err != nil:
		return jpegError(err)
	}
	job.repeatSamples()
	return nil
}

// openJPEG opens the stream of a block, which has to fit it.
func openJPEG(decoder *jpeg.Decoder, job *Job) (jpeg.Frame, error) {
	if err := job.checkNoColumns(); err != nil {
		return jpeg.Frame{}, err
	}
	tables, err := job.Layout.JPEG.Tables.parsed()
	if err != nil {
		return jpeg.Frame{}, fmt.Errorf("JPEG tables: %w", jpegError(err))
	}
	frame, err := decoder.Open(job.Layout.JPEG.Headers.complete(job.source(), job.Rows), tables)
	if err != nil {
		return jpeg.Frame{}, jpegError(err)
	}
	return frame, checkFrame(frame, job)
}

// jpegError wraps an error of package jpeg with the matching sentinel of this package.
func jpegError(err error) error {
	switch {
	case errors.Is(err, jpeg.ErrUnsupported):
		return fmt.Errorf("%w: %w", decode.ErrUnsupported, err)
	case errors.Is(err, decode.ErrCorrupt):
		return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
	}
	return err
}

const (
	// smallJPEGPixels is the size that a stream may always have. A larger stream must not be larger
	// than its block: otherwise it is damaged or an attack.
	smallJPEGPixels = 4 << 20

	// smallJPEGWorkBytes is the memory that decoding may always take, even for a small block.
	// maxJPEGCoefficientBytes bounds the coefficients of one stream.
	smallJPEGWorkBytes      = 256 << 10
	maxJPEGCoefficientBytes = 130 << 20
)

// jpegWorkBytes returns the maximum memory for decoding the stream of a block, beside its planes.
// It covers any subsampling factors, all coefficients at once, and the rows of samples computed
// from them.
func jpegWorkBytes(l *Layout, rows int) float64 {
	const (
		largestUnit      = 32 // pixels
		coefficientBytes = 2 + 1./64
		rowsOfSamples    = 2 * largestUnit
	)
	row := roundedUp(l.Width, largestUnit) * float64(l.Samples)
	coefficients := min(row*roundedUp(rows, largestUnit)*coefficientBytes, maxJPEGCoefficientBytes)
	return max(coefficients+row*rowsOfSamples*float64(l.Type.Size()), smallJPEGWorkBytes)
}

func roundedUp(n, unit int) float64 { return math.Ceil(float64(n)/float64(unit)) * float64(unit) }

// jpegScratchBytes returns the maximum scratch memory of a block: jpegWorkBytes, or the separate
// planes of a camera's mosaic if those are larger. It adds a copy of the stream without its stuffed
// bytes, and a second copy if headers are put before it.
func jpegScratchBytes(l *Layout, rows int, stored int64) float64 {
	copies := 1.
	if l.JPEG.Headers != nil {
		copies = 2
	}
	mosaic := float64(l.Width) * float64(rows) * float64(l.Samples) * float64(l.Type.Size())
	return max(jpegWorkBytes(l, rows), mosaic) + copies*float64(stored)
}

// checkFrame returns an error if the stream's frame does not fit the block.
func checkFrame(f jpeg.Frame, job *Job) error {
	l, t := job.Layout, job.Target
	switch {
	case !l.fitsJPEG(f.Bits):
		return fmt.Errorf("JPEG of %d bits for %d-bit %v with predictor %d: %w", f.Bits, l.Bits, l.Type, l.Predictor, decode.ErrUnsupported)
	case f.Width*f.Height > max(l.Width*job.Rows, smallJPEGPixels):
		return fmt.Errorf("JPEG of %dx%d in a block of %dx%d: %w", f.Width, f.Height, l.Width, job.Rows, decode.ErrCorruptBlock)
	case f.Height < t.Height():
		return fmt.Errorf("JPEG of %d rows in a block of %d: %w", f.Height, job.Rows, decode.ErrCorruptBlock)
	case float64(f.WorkBytes) > jpegWorkBytes(l, job.Rows):
		return fmt.Errorf("%v JPEG of %dx%d takes %d bytes to decode in a block of %dx%d: %w",
			f.Process, f.Width, f.Height, f.WorkBytes, l.Width, job.Rows, decode.ErrUnsupported)
	case interleavesColumns(f, l):
		return nil
	case f.Components != l.Samples:
		return fmt.Errorf("JPEG of %d components in an image of %d samples: %w", f.Components, l.Samples, decode.ErrCorruptBlock)
	case l.JPEG.YCbCr && f.Components != 3:
		return fmt.Errorf("YCbCr of %d components: %w", f.Components, decode.ErrUnsupported)
	case f.Width < t.Width():
		return fmt.Errorf("JPEG of %d columns in a block of %d: %w", f.Width, l.Width, decode.ErrCorruptBlock)
	}
	return nil
}

// fitsJPEG reports whether samples of the given number of bits fit the samples of the image.
func (l *Layout) fitsJPEG(bits int) bool {
	if l.Predictor > NoPredictor || l.Fields != nil {
		return false
	}
	switch l.Type {
	case raster.Uint8, raster.Int8:
		return bits <= 8
	case raster.Uint16, raster.Int16:
		return bits > 8
	}
	return false
}
