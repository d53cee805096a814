package blocks

import (
	"errors"
	"fmt"

	"tileserver/codec/sgilog"
	"tileserver/decode"
)

// sgilogCodec decodes logarithms of luminance (16 bits) and colors that contain one (32 bits). The
// words come out in the machine's byte order, whatever the file's is.
type sgilogCodec struct{ scratch *scratchPool }

var _ Codec = sgilogCodec{}

// Decode gives the words of 16 or 32 bits unchanged, or splits each word of 32 bits into three
// samples. The layout says which.
func (c sgilogCodec) Decode(job *Job) error {
	if err := job.checkNoColumns(); err != nil {
		return err
	}
	l := job.Layout
	single, threeSamples := l.Samples == 1 && (l.Bits == 16 || l.Bits == 32), l.Samples == 3 && l.Bits == 16
	if l.Fields != nil || !l.hasMemorySize() || l.Predictor > NoPredictor || !single && !threeSamples {
		return fmt.Errorf("SGILog of %d samples of %d-bit %v: %w", l.Samples, l.Bits, l.Type, decode.ErrUnsupported)
	}
	size := l.Width * job.Rows * l.sgilogBytes()
	buffer := c.scratch.get(size)
	defer c.scratch.put(buffer)
	block := buffer.bytes(size)
	if l.sgilogBytes() == 2 {
		rows, err := sgilog.DecodeL16(asWords[uint16](block), job.source(), l.Width)
		if err := sgilogError(rows, err, job); err != nil {
			return err
		}
		unpackWords[uint16](block, job)
		return nil
	}
	words := asWords[uint32](block)
	rows, err := sgilog.DecodeLuv32(words, job.source(), l.Width)
	if err := sgilogError(rows, err, job); err != nil {
		return err
	}
	if threeSamples {
		splitLogLuv(words, job)
	} else {
		unpackWords[uint32](block, job)
	}
	return nil
}

// sgilogBytes returns the size of a pixel's word.
func (l *Layout) sgilogBytes() int {
	if l.Samples == 1 && l.Bits == 16 {
		return 2
	}
	return 4
}

func sgilogScratchBytes(l *Layout, rows int) float64 {
	return float64(l.Width) * float64(rows) * float64(l.sgilogBytes())
}

// sgilogError accepts a block that ends early but has all rows that lie in the image.
func sgilogError(rows int, err error, job *Job) error {
	if err == nil || errors.Is(err, sgilog.ErrTruncated) && rows >= job.Target.Height() {
		return nil
	}
	return fmt.Errorf("%w: %w", decode.ErrCorruptBlock, err)
}

// splitLogLuv splits each word into three samples: the logarithm of luminance, then u' and v'. It
// rescales u' and v' from units of 1/410 to units of 1/32768.
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
