package decode

import (
	"errors"
	"fmt"

	"tileserver/decode/sgilog"
)

// sgilogCodec decodes logarithms of luminance, and colours of which that is a part.
// The words come out in the machine's order, whatever that of the file is.
type sgilogCodec struct{ scratch *scratchPool }

var _ Codec = sgilogCodec{}

// Decode takes the layout for what is wanted: the words of 16 or 32 bits as they
// are, or three samples of each word.
func (c sgilogCodec) Decode(job *Job) error {
	if err := job.check(); err != nil {
		return err
	}
	l := job.Layout
	pixels := l.Width * job.Rows
	buffer := c.scratch.take(4 * pixels)
	defer c.scratch.give(buffer)
	switch {
	case l.Fields != nil || !l.whole() || l.Predictor > NoPredictor:
	case l.Samples == 1 && l.Bits == 16:
		words := asWords[uint16](buffer.bytes(2 * pixels))
		rows, err := sgilog.DecodeL16(words, job.source(), l.Width)
		if err := sgilogError(rows, err, job); err != nil {
			return err
		}
		unpackWords[uint16](buffer.bytes(2*pixels), job)
		return nil
	case l.Samples == 1 && l.Bits == 32 || l.Samples == 3 && l.Bits == 16:
		words := asWords[uint32](buffer.bytes(4 * pixels))
		rows, err := sgilog.DecodeLuv32(words, job.source(), l.Width)
		if err := sgilogError(rows, err, job); err != nil {
			return err
		}
		if l.Samples == 1 {
			unpackWords[uint32](buffer.bytes(4*pixels), job)
			return nil
		}
		splitLogLuv(words, job)
		return nil
	}
	return fmt.Errorf("SGILog of %d samples of %d-bit %v: %w", l.Samples, l.Bits, l.Type, ErrUnsupported)
}

// sgilogError lets a block end after the rows that are wanted.
func sgilogError(rows int, err error, job *Job) error {
	if err == nil || errors.Is(err, sgilog.ErrTruncated) && rows >= job.Target.Height() {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrCorrupt, err)
}

// splitLogLuv makes three samples of each word: the logarithm of luminance, and u'
// and v' in 32768 parts, of which the words have 410.
func splitLogLuv(words []uint32, job *Job) {
	const parts, storedParts = 1 << 15, 410
	var chroma [256]uint16
	for i := range chroma {
		chroma[i] = uint16((float64(i) + 0.5) / storedParts * parts)
	}
	width := job.Target.Width()
	for i, plane := range targetPlanes[uint16](job) {
		shift := 8 * (2 - job.Samples[i])
		for y := range job.Target.Height() {
			stored := words[y*job.Layout.Width:][:width]
			row := plane[y*width:][:width]
			for x, word := range stored {
				if shift == 16 {
					row[x] = uint16(word >> 16)
				} else {
					row[x] = chroma[uint8(word>>shift)]
				}
			}
		}
	}
}
