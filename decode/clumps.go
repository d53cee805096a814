package decode

import "fmt"

func (l *Layout) subsampled() bool { return l.Subsampling != Subsampling{} }

// checkSubsampling returns an error if the codecs cannot read samples that are subsampled as l
// says.
func (l *Layout) checkSubsampling() error {
	s := l.Subsampling
	if !l.subsampled() {
		return nil
	}
	const most = 4
	if s.Horizontal < 1 || s.Vertical < 1 || s.Horizontal > most || s.Vertical > most {
		return fmt.Errorf("chroma subsampled %dx%d: %w", s.Horizontal, s.Vertical, ErrUnsupported)
	}
	if l.Samples != 1 && l.Samples != 3 || l.Fields != nil || l.Type.IsComplex() || !l.whole() && !l.packed() {
		return fmt.Errorf("%d samples of %d-bit %v with subsampled chroma: %w", l.Samples, l.Bits, l.Type, ErrUnsupported)
	}
	return nil
}

// clumpLuma returns the number of luma samples in a chroma block. A plane of Cb or Cr has none.
func (l *Layout) clumpLuma() int {
	if l.Samples == 1 {
		return 0
	}
	return l.Subsampling.Horizontal * l.Subsampling.Vertical
}

// clumpSamples returns the number of samples in a chroma block.
func (l *Layout) clumpSamples() int { return l.clumpLuma() + max(l.Samples-1, 1) }

// clumpRowSamples returns the number of samples in a row of chroma blocks, including those past the
// image's edge.
func (l *Layout) clumpRowSamples() int {
	h := l.Subsampling.Horizontal
	return (l.Width + h - 1) / h * l.clumpSamples()
}

// clumpRowBytes returns the size of a row of chroma blocks, which ends on a whole byte.
func (l *Layout) clumpRowBytes() int { return (l.clumpRowSamples()*l.Bits + 7) / 8 }

// unpackClumps unpacks chroma blocks: it gives each pixel its own luma and a copy of the shared
// chroma.
func unpackClumps(rows []byte, job *Job) {
	switch job.Layout.Type.Size() {
	case 1:
		unpackClumpsAs[uint8](rows, job)
	case 2:
		unpackClumpsAs[uint16](rows, job)
	case 4:
		unpackClumpsAs[uint32](rows, job)
	case 8:
		unpackClumpsAs[uint64](rows, job)
	}
}

func unpackClumpsAs[T word](rows []byte, job *Job) {
	l, width := job.Layout, job.Target.Width()
	planes := targetPlanes[T](job)
	h, v := l.Subsampling.Horizontal, l.Subsampling.Vertical
	var clumps []T
	for y := range job.Target.Height() {
		if y%v == 0 {
			clumps = clumpRow(clumps, rows[y/v*l.clumpRowBytes():][:l.clumpRowBytes()], l)
		}
		for i, s := range job.Samples {
			plane := planes[i][y*width:][:width]
			if s == 0 && l.Samples > 1 {
				takeLuma(plane, clumps[y%v*h:], h, l.clumpSamples())
			} else {
				repeatChroma(plane, clumps[l.clumpLuma()+max(s-1, 0):], h, l.clumpSamples())
			}
		}
	}
}

// clumpRow returns a row of chroma blocks, one sample per element. It aliases row if samples need
// no widening. Otherwise it overwrites and returns last, which it allocates on the first call.
func clumpRow[T word](last []T, row []byte, l *Layout) []T {
	if l.whole() {
		return asWords[T](row)
	}
	if last == nil {
		last = make([]T, l.clumpRowSamples())
	}
	widenSamples(last, row, 0, l.Bits, l)
	return last
}

// takeLuma copies the first h samples of every chroma block.
func takeLuma[T word](plane, clumps []T, h, clump int) {
	for {
		n := min(h, len(plane))
		copy(plane[:n], clumps)
		if plane = plane[n:]; len(plane) == 0 {
			return
		}
		clumps = clumps[clump:]
	}
}

// repeatChroma writes the first sample of every chroma block h times.
func repeatChroma[T word](plane, clumps []T, h, clump int) {
	for {
		n := min(h, len(plane))
		for x := range n {
			plane[x] = clumps[0]
		}
		if plane = plane[n:]; len(plane) == 0 {
			return
		}
		clumps = clumps[clump:]
	}
}
