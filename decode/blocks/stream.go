package blocks

import (
	"errors"
	"fmt"

	"tileserver/decode"
)

// decompress fills dst from src and returns the number of bytes written. If the stream holds more
// than dst, it returns errLonger or no error.
type decompress func(dst, src []byte) (n int, err error)

// decompressRows is a decompress function for streams that do not describe their rows completely.
// The job supplies the rest.
type decompressRows func(dst, src []byte, job *Job) (n int, err error)

// ofBytes adapts a decompress function that needs no job.
func ofBytes(d decompress) decompressRows {
	return func(dst, src []byte, _ *Job) (int, error) { return d(dst, src) }
}

// errLonger means that the stream goes on after the requested bytes. That is no damage: writers pad
// the last strip of an image.
var errLonger = errors.New("longer than requested")

// streamCodec decodes blocks that decompress to rows of samples. All codecs are of this kind,
// except those that decode to planes directly.
type streamCodec struct {
	decompress decompressRows
	scratch    *scratchPool
}

var _ Codec = streamCodec{}

// Decode reverses the steps of the writer: compression, byte order, predictor, interleaving.
func (c streamCodec) Decode(job *Job) error {
	if err := job.check(); err != nil {
		return err
	}
	size := job.Layout.BlockBytes(job.Rows)
	buffer := c.scratch.get(size)
	defer c.scratch.put(buffer)
	rows := buffer.bytes(size)

	n, err := c.decompress(rows, job.source(), job)
	return job.take(rows, n, err)
}

// take reverses the steps of the writer before the compression, after n bytes of the rows were decompressed.
func (job *Job) take(rows []byte, n int, err error) error {
	switch {
	case errors.Is(err, decode.ErrUnsupported):
		return err
	case errors.Is(err, errLonger):
		err = nil
	case err != nil && !job.hasSoundPart(err):
		return corruptBlock(err)
	}
	if needed := job.Layout.BlockBytes(job.Target.Height()); n < needed {
		if err := job.endsEarly(n, needed, err); err != nil {
			return err
		}
	}
	clear(rows[n:]) // some writers omit the rows below the image
	undoPredictor(rows, job.Layout)
	unpackAll(rows, job)
	return nil
}

// storedCodec decodes blocks that are not compressed.
type storedCodec struct{ streamCodec }

// Decode unpacks samples of one byte from the stored bytes, which it only reads, since other jobs may
// have the same. Other samples are copied first: they need an alignment, or another byte order.
func (c storedCodec) Decode(job *Job) error {
	if err := job.check(); err != nil {
		return err
	}
	l := job.Layout
	isReadable := l.Bits == 8 && l.hasMemorySize() && l.Predictor <= NoPredictor && !l.LowBitFirst && !l.isSubsampled()
	if size := l.BlockBytes(job.Rows); isReadable && len(job.Source) >= size {
		unpackAll(job.Source[:size], job)
		return nil
	}
	return c.streamCodec.Decode(job)
}

// copyStored is the decompress function of blocks that are not compressed.
func copyStored(dst, src []byte) (int, error) { return copy(dst, src), nil }

// corruptBlock marks an error as one of the block.
func corruptBlock(err error) error { return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err) }

// source returns the stored bytes with the high bit of each byte first.
func (j *Job) source() []byte {
	if !j.Layout.LowBitFirst {
		return j.Source
	}
	return reversedBits(j.Source)
}
