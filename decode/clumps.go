package decode

import "fmt"

func (l *Layout) subsampled() bool { return l.Subsampling != Subsampling{} }

// checkSubsampling tells whether samples can lie in clumps as l says.
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
		return fmt.Errorf("%d samples of %d-bit %v with chroma subsampled: %w", l.Samples, l.Bits, l.Type, ErrUnsupported)
	}
	return nil
}

// clumpLuma is the samples of luminance in a clump; of a plane of chroma, none.
func (l *Layout) clumpLuma() int {
	if l.Samples == 1 {
		return 0
	}
	return l.Subsampling.Horizontal * l.Subsampling.Vertical
}

// clumpSamples is all samples of a clump.
func (l *Layout) clumpSamples() int { return l.clumpLuma() + max(l.Samples-1, 1) }

// clumpRowSamples is the samples of a row of clumps, those past the edge too.
func (l *Layout) clumpRowSamples() int {
	h := l.Subsampling.Horizontal
	return (l.Width + h - 1) / h * l.clumpSamples()
}

// clumpRowBytes is the size of a row of clumps, which ends on a whole byte.
func (l *Layout) clumpRowBytes() int { return (l.clumpRowSamples()*l.Bits + 7) / 8 }

// unpackClumps gives every pixel the chroma that it shares.
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

// clumpRow is a row of clumps, sample by sample: the row itself, or the last such
// row written over where samples are packed.
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

// takeLuma takes the first h samples of every clump.
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

// repeatChroma takes the first sample of every clump h times.
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
