package decode

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"sync"

	"github.com/gen2brain/jpegn"
)

// jpegCodec decodes baseline and progressive JPEG of 8 bits.
type jpegCodec struct{ streams sync.Pool }

func newJPEG() *jpegCodec {
	return &jpegCodec{sync.Pool{New: func() any { return new(jpegStream) }}}
}

var _ Codec = (*jpegCodec)(nil)

// smallJPEGPixels is what a stream may always hold. Past that it must not be
// larger than its block, for then it is either damaged or an attack.
const smallJPEGPixels = 4 << 20

// Decode checks what the stream claims to hold before anything is allocated.
func (c *jpegCodec) Decode(job *Job) error {
	if err := job.check(); err != nil {
		return err
	}
	stream := c.streams.Get().(*jpegStream)
	defer c.streams.Put(stream)
	if err := stream.reassemble(job.Layout.JPEG.Tables, job.source()); err != nil {
		return err
	}
	if err := stream.check(job); err != nil {
		return err
	}
	picture, err := decodeJPEG(stream)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return writeJPEG(picture, job)
}

// check tells whether the stream is one of the block.
func (s *jpegStream) check(job *Job) error {
	const minBitsPerBlock = 2 // a code for the mean, and one for the end
	f, l, t := s.frame, job.Layout, job.Target
	switch {
	case l.Bits != 8 || l.Type.Size() != 1 || l.Predictor > NoPredictor:
		return fmt.Errorf("JPEG of %d-bit %v with predictor %d: %w", l.Bits, l.Type, l.Predictor, ErrUnsupported)
	case f.components != l.Samples:
		return fmt.Errorf("JPEG of %d components in an image of %d samples: %w", f.components, l.Samples, ErrCorrupt)
	case l.JPEG.YCbCr && f.components != 3:
		return fmt.Errorf("YCbCr of %d components: %w", f.components, ErrUnsupported)
	case f.width < t.Width() || f.height < t.Height():
		return fmt.Errorf("JPEG of %dx%d in a block of %dx%d: %w", f.width, f.height, l.Width, job.Rows, ErrCorrupt)
	case f.width*f.height > max(l.Width*job.Rows, smallJPEGPixels):
		return fmt.Errorf("JPEG of %dx%d in a block of %dx%d: %w", f.width, f.height, l.Width, job.Rows, ErrCorrupt)
	case !f.progressive && 8*s.scanBytes < minBitsPerBlock*f.blocks:
		return fmt.Errorf("JPEG of %dx%d in %d bytes: %w", f.width, f.height, s.scanBytes, ErrCorrupt)
	}
	return nil
}

// decodeJPEG uses the fast decoder for what it does well. That one takes damage
// for the end of the picture and leaves the rest of it zero, so whatever ends in
// zeros, and all progressive pictures, go to the standard library's, which is
// strict. It also does four components, and the rare kinds that the fast one
// refuses.
func decodeJPEG(stream *jpegStream) (image.Image, error) {
	if stream.frame.progressive || stream.frame.components == 4 {
		return jpeg.Decode(bytes.NewReader(stream.bytes))
	}
	picture, err := jpegn.Decode(bytes.NewReader(stream.bytes), &jpegn.Options{})
	if errors.Is(err, jpegn.ErrUnsupported) || err == nil && endsInZeros(picture) {
		return jpeg.Decode(bytes.NewReader(stream.bytes))
	}
	return picture, err
}

// endsInZeros tells whether the last row of the last 8x8 samples of every
// component is zero, as it is when decoding stopped before.
func endsInZeros(picture image.Image) bool {
	switch p := picture.(type) {
	case *image.Gray:
		return endsZero(p.Pix)
	case *image.YCbCr:
		return endsZero(p.Y) && endsZero(p.Cb) && endsZero(p.Cr)
	}
	return false
}

func endsZero(plane []byte) bool {
	for _, v := range plane[max(len(plane)-8, 0):] {
		if v != 0 {
			return false
		}
	}
	return true
}
