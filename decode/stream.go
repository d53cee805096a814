package decode

import (
	"errors"
	"fmt"
)

// decompress fills dst from src and tells how many bytes it wrote. It returns
// errLonger, or no error, when the stream holds more than dst.
type decompress func(dst, src []byte) (n int, err error)

// decompressRows is decompress for streams that do not say all that there is to
// know about the rows in them, which is what job does.
type decompressRows func(dst, src []byte, job *Job) (n int, err error)

// ofBytes makes a decompressRows of streams that say all.
func ofBytes(d decompress) decompressRows {
	return func(dst, src []byte, _ *Job) (int, error) { return d(dst, src) }
}

// errLonger says that a stream goes on after the bytes that were asked for.
// Writers fill up the last strip of an image, so that is no damage.
var errLonger = errors.New("longer than asked for")

// streamCodec decodes blocks whose bytes, once decompressed, are rows of
// samples: every codec but those that make planes themselves.
type streamCodec struct {
	decompress decompressRows
	scratch    *scratchPool
}

var _ Codec = streamCodec{}

// Decode takes the steps of writing back: bytes, their order, differences, planes.
func (c streamCodec) Decode(job *Job) error {
	if err := job.check(); err != nil {
		return err
	}
	size := job.Layout.BlockBytes(job.Rows)
	buffer := c.scratch.take(size)
	defer c.scratch.give(buffer)
	rows := buffer.bytes(size)

	n, err := c.decompress(rows, job.source(), job)
	switch {
	case errors.Is(err, ErrUnsupported):
		return err
	case err != nil && !errors.Is(err, errLonger):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if needed := job.Layout.BlockBytes(job.Target.Height()); n < needed {
		return fmt.Errorf("%w: ends after %d of %d bytes", ErrCorrupt, n, needed)
	}
	clear(rows[n:]) // writers leave out the rows below the image
	undoPredictor(rows, job.Layout)
	unpackAll(rows, job)
	return nil
}

// source is the stored bytes with the high bit of each first.
func (j *Job) source() []byte {
	if !j.Layout.LowBitFirst {
		return j.Source
	}
	return reversedBits(j.Source)
}
