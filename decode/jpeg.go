package decode

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"tileserver/decode/jpeg"
	"tileserver/raster"
)

// jpegCodec decodes JPEG streams of every process that package jpeg knows. What
// their colours are it takes from the file around them, and never from markers
// or the names of components, from which others guess.
type jpegCodec struct{ decoders sync.Pool }

func newJPEG() *jpegCodec {
	return &jpegCodec{sync.Pool{New: func() any { return new(jpeg.Decoder) }}}
}

var _ Codec = (*jpegCodec)(nil)

// Decode checks what the stream claims to hold before anything is allocated.
func (c *jpegCodec) Decode(job *Job) error {
	if err := job.checkWhole(); err != nil {
		return err
	}
	tables, err := job.Layout.JPEG.Tables.parsed()
	if err != nil {
		return fmt.Errorf("JPEG tables: %w", inOurWords(err))
	}
	decoder := c.decoders.Get().(*jpeg.Decoder)
	defer c.decoders.Put(decoder)
	frame, err := decoder.Open(job.Layout.JPEG.Headers.whole(job.source(), job.Rows), tables)
	if err != nil {
		return inOurWords(err)
	}
	if err := checkFrame(frame, job); err != nil {
		return err
	}
	if err := decodeJPEG(decoder, frame, job); err != nil {
		return inOurWords(err)
	}
	job.repeatSamples()
	return nil
}

// inOurWords gives an error of package jpeg the sentinel of this one.
func inOurWords(err error) error {
	switch {
	case errors.Is(err, jpeg.ErrUnsupported):
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	case errors.Is(err, jpeg.ErrCorrupt):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

const (
	// smallJPEGPixels is what a stream may always hold. Past that it must not be
	// larger than its block, for then it is either damaged or an attack.
	smallJPEGPixels = 4 << 20

	// smallJPEGWorkBytes is what decoding a stream may always take, however small
	// its block is, and mostJPEGCoefficientBytes what all coefficients of one may.
	smallJPEGWorkBytes       = 256 << 10
	mostJPEGCoefficientBytes = 130 << 20
)

// jpegWorkBytes is the most that decoding the stream of a block may take beside its
// planes. It has room for any factors of subsampling, all coefficients at a time and
// the rows of samples that are made of them.
func jpegWorkBytes(l *Layout, rows int) float64 {
	const (
		largestUnit      = 32 // pixels
		coefficientBytes = 2 + 1./64
		rowsOfSamples    = 2 * largestUnit
	)
	row := roundedUp(l.Width, largestUnit) * float64(l.Samples)
	coefficients := min(row*roundedUp(rows, largestUnit)*coefficientBytes, mostJPEGCoefficientBytes)
	return max(coefficients+row*rowsOfSamples*float64(l.Type.Size()), smallJPEGWorkBytes)
}

func roundedUp(n, unit int) float64 { return math.Ceil(float64(n)/float64(unit)) * float64(unit) }

// jpegScratchBytes counts the bytes of the stream once more, without those that stuff
// them, and the components of a mosaic, which are decoded apart.
func jpegScratchBytes(l *Layout, rows int, stored int64) float64 {
	copies := 1.
	if l.JPEG.Headers != nil {
		copies = 2
	}
	mosaic := float64(l.Width) * float64(rows) * float64(l.Samples) * float64(l.Type.Size())
	return max(jpegWorkBytes(l, rows), mosaic) + copies*float64(stored)
}

// checkFrame tells whether the stream is one of the block.
func checkFrame(f jpeg.Frame, job *Job) error {
	l, t := job.Layout, job.Target
	switch {
	case !l.holdsJPEG(f.Bits):
		return fmt.Errorf("JPEG of %d bits for %d-bit %v with predictor %d: %w", f.Bits, l.Bits, l.Type, l.Predictor, ErrUnsupported)
	case f.Width*f.Height > max(l.Width*job.Rows, smallJPEGPixels):
		return fmt.Errorf("JPEG of %dx%d in a block of %dx%d: %w", f.Width, f.Height, l.Width, job.Rows, ErrCorrupt)
	case f.Height < t.Height():
		return fmt.Errorf("JPEG of %d rows in a block of %d: %w", f.Height, job.Rows, ErrCorrupt)
	case float64(f.WorkBytes) > jpegWorkBytes(l, job.Rows):
		return fmt.Errorf("%v JPEG of %dx%d takes %d bytes to decode in a block of %dx%d: %w",
			f.Process, f.Width, f.Height, f.WorkBytes, l.Width, job.Rows, ErrUnsupported)
	case interleavesColumns(f, l):
		return nil
	case f.Components != l.Samples:
		return fmt.Errorf("JPEG of %d components in an image of %d samples: %w", f.Components, l.Samples, ErrCorrupt)
	case l.JPEG.YCbCr && f.Components != 3:
		return fmt.Errorf("YCbCr of %d components: %w", f.Components, ErrUnsupported)
	case f.Width < t.Width():
		return fmt.Errorf("JPEG of %d columns in a block of %d: %w", f.Width, l.Width, ErrCorrupt)
	}
	return nil
}

// holdsJPEG tells whether samples of that many bits fit into those of the image.
func (l *Layout) holdsJPEG(bits int) bool {
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
