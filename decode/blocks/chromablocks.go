package blocks

import (
	"fmt"

	"tileserver/decode"
)

func (l *Layout) isSubsampled() bool { return l.Subsampling != Subsampling{} }

// checkSubsampling returns an error if the codecs cannot read samples that are subsampled as l
// says.
func (l *Layout) checkSubsampling() error {
	s := l.Subsampling
	if !l.isSubsampled() {
		return nil
	}
	const maxFactor = 4
	if s.Horizontal < 1 || s.Vertical < 1 || s.Horizontal > maxFactor || s.Vertical > maxFactor {
		return fmt.Errorf("chroma subsampled %dx%d: %w", s.Horizontal, s.Vertical, decode.ErrUnsupported)
	}
	if l.Samples != 1 && l.Samples != 3 || l.Fields != nil || l.Type.IsComplex() || !l.hasMemorySize() && !l.isPacked() {
		return fmt.Errorf("%d samples of %d-bit %v with subsampled chroma: %w", l.Samples, l.Bits, l.Type, decode.ErrUnsupported)
	}
	return nil
}

// chromaBlockLuma returns the number of luma samples in a chroma block. A plane of Cb or Cr has
// none.
func (l *Layout) chromaBlockLuma() int {
	if l.Samples == 1 {
		return 0
	}
	return l.Subsampling.Horizontal * l.Subsampling.Vertical
}

// chromaBlockSamples returns the number of samples in a chroma block.
func (l *Layout) chromaBlockSamples() int { return l.chromaBlockLuma() + max(l.Samples-1, 1) }

// chromaBlockRowSamples returns the number of samples in a row of chroma blocks, including those
// past the image's edge.
func (l *Layout) chromaBlockRowSamples() int {
	h := l.Subsampling.Horizontal
	return (l.Width + h - 1) / h * l.chromaBlockSamples()
}

// chromaBlockRowBytes returns the size of a row of chroma blocks, which ends on a whole byte.
func (l *Layout) chromaBlockRowBytes() int { return (l.chromaBlockRowSamples()*l.Bits + 7) / 8 }

// unpackChromaBlocks unpacks chroma blocks: it gives each pixel its own luma and a copy of the
// shared chroma.
func unpackChromaBlocks(rows []byte, job *Job) {
	switch job.Layout.Type.Size() {
	case 1:
		unpackChromaBlocksAs[uint8](rows, job)
	case 2:
		unpackChromaBlocksAs[uint16](rows, job)
	case 4:
		unpackChromaBlocksAs[uint32](rows, job)
	case 8:
		unpackChromaBlocksAs[uint64](rows, job)
	}
}

func unpackChromaBlocksAs[T word](rows []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	planes := targetPlanes[T](job)
	h, v := l.Subsampling.Horizontal, l.Subsampling.Vertical
	var blocks []T
	for y := range job.Target.Height() {
		if y%v == 0 {
			blocks = chromaBlockRow(blocks, rows[y/v*l.chromaBlockRowBytes():][:l.chromaBlockRowBytes()], l)
		}
		for i, s := range job.Samples {
			plane := planes[i][y*width:][:width]
			if s == 0 && l.Samples > 1 {
				copyLuma(plane, blocks[y%v*h:], h, l.chromaBlockSamples())
			} else {
				repeatChroma(plane, blocks[l.chromaBlockLuma()+max(s-1, 0):], h, l.chromaBlockSamples())
			}
		}
	}
}

// chromaBlockRow returns a row of chroma blocks, one sample per element. It aliases row if samples
// need no widening. Otherwise it overwrites and returns last, which it allocates on the first call.
func chromaBlockRow[T word](last []T, row []byte, l *Layout) []T {
	if l.hasMemorySize() {
		return asWords[T](row)
	}
	if last == nil {
		last = make([]T, l.chromaBlockRowSamples())
	}
	widenSamples(last, row, 0, l.Bits, l)
	return last
}

// copyLuma copies the first h samples of every chroma block.
func copyLuma[T word](plane, blocks []T, h, size int) {
	for {
		n := min(h, len(plane))
		copy(plane[:n], blocks)
		if plane = plane[n:]; len(plane) == 0 {
			return
		}
		blocks = blocks[size:]
	}
}

// repeatChroma writes the first sample of every chroma block h times.
func repeatChroma[T word](plane, blocks []T, h, size int) {
	for {
		n := min(h, len(plane))
		for x := range n {
			plane[x] = blocks[0]
		}
		if plane = plane[n:]; len(plane) == 0 {
			return
		}
		blocks = blocks[size:]
	}
}
