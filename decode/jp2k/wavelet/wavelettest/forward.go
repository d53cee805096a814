// Package wavelettest computes the bands of resolutions, for tests of the synthesis. It is slow and
// plain: the formulas of the standard, one sample at a time.
package wavelettest

import "tileserver/decode/jp2k/wavelet"

// Forward53 splits a resolution into its bands with the reversible wavelet.
func Forward53[T int32 | int64](resolution wavelet.Plane[T]) [4]wavelet.Plane[T] {
	return forward(resolution, analyze53[T])
}

// Forward97 splits a resolution into its bands with the irreversible wavelet.
func Forward97(resolution wavelet.Plane[float32]) [4]wavelet.Plane[float32] {
	return forward(resolution, analyze97)
}

// signal is a row or a column. begin is the position of its first sample.
type signal[T wavelet.Number] struct {
	samples []T
	begin   int
}

// forward analyzes the columns, then the rows, and separates the bands.
func forward[T wavelet.Number](from wavelet.Plane[T], analyze func(signal[T])) (bands [4]wavelet.Plane[T]) {
	r := from.Rect
	for o := range bands {
		bands[o] = wavelet.NewPlane[T](wavelet.BandRect(r, wavelet.Orientation(o)))
	}
	width, height := r.Width(), r.Height()
	mixed := make([]T, width*height)
	for x := range width {
		column := make([]T, height)
		for y := range column {
			column[y] = from.Samples[y*from.Stride+x]
		}
		analyze(signal[T]{column, r.Y0})
		for y, sample := range column {
			mixed[y*width+x] = sample
		}
	}
	for y := range height {
		row := mixed[y*width:][:width]
		analyze(signal[T]{row, r.X0})
		for x, sample := range row {
			x, y := r.X0+x, r.Y0+y
			band := &bands[x&1|y&1<<1]
			band.Samples[(y>>1-band.Rect.Y0)*band.Stride+x>>1-band.Rect.X0] = sample
		}
	}
	return bands
}

// lift replaces the samples at even or odd positions, given the sample and the sum of its
// neighbors.
func (s signal[T]) lift(odd int, replaced func(sample, sum T) T) {
	last := len(s.samples) - 1
	for i := range s.samples {
		if (s.begin+i)&1 != odd {
			continue
		}
		before, after := i-1, i+1
		if before < 0 {
			before = 1
		}
		if after > last {
			after = last - 1
		}
		s.samples[i] = replaced(s.samples[i], s.samples[before]+s.samples[after])
	}
}

// alone reports whether the signal is a single sample, which it doubles if its position is odd.
func (s signal[T]) alone() bool {
	if len(s.samples) != 1 {
		return false
	}
	if s.begin&1 != 0 {
		s.samples[0] *= 2
	}
	return true
}

func analyze53[T int32 | int64](s signal[T]) {
	if s.alone() {
		return
	}
	s.lift(1, func(sample, sum T) T { return sample - sum>>1 })
	s.lift(0, func(sample, sum T) T { return sample + (sum+2)>>2 })
}

func analyze97(s signal[float32]) {
	if s.alone() {
		return
	}
	for step, weight := range []float64{-1.586134342059924, -0.052980118572961, 0.882911075530934, 0.443506852043971} {
		s.lift(1-step&1, func(sample, sum float32) float32 { return float32(float64(sample) + weight*float64(sum)) })
	}
	const k = 1.230174104914001
	for i := range s.samples {
		if (s.begin+i)&1 != 0 {
			s.samples[i] *= k
		} else {
			s.samples[i] *= 1 / k
		}
	}
}
