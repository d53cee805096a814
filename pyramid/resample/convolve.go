package resample

import "tileserver/raster"

// convolution is a pair of kernels prepared for a window.
type convolution struct {
	x, y    exactWeights
	stride  int
	sums    [phases]float64    // sums of the weights of y for each phase: 1 but for rounding
	values  [RowPixels]float64 // of the current row
	weights []float64          // of the current partial pixel
}

// exactWeights holds weights in float64, for sums in float64.
type exactWeights struct {
	taps  int
	table []float64
}

func (w *weights) exact() exactWeights {
	e := exactWeights{w.taps, make([]float64, len(w.table))}
	for i, weight := range w.table {
		e.table[i] = float64(weight)
	}
	return e
}

// phase returns the weights of one phase.
func (w *exactWeights) phase(p uint8) []float64 {
	return w.table[int(p)*w.taps:][:w.taps]
}

func newConvolution(x, y Kernel, stride int) *convolution {
	wx, wy := x.weights(), y.weights()
	c := &convolution{x: wx.exact(), y: wy.exact(), stride: stride, weights: make([]float64, 0, wx.taps*wy.taps)}
	for p := range c.sums {
		for _, weight := range c.y.phase(uint8(p)) {
			c.sums[p] += weight
		}
	}
	return c
}

// corner returns the distance from the first pixel under the kernel to the pixel whose center lies
// before the position, as a number of indices.
func (c *convolution) corner() int { return (c.y.taps/2-1)*c.stride + c.x.taps/2 - 1 }

// convolve resamples a row segment with any kernel larger than two by two.
func (s *sampler[T]) convolve(r *Row, to int, coverage []uint8) {
	fillValid(coverage)
	if s.coverage != nil {
		s.partial.findUnder(s.kernel, r, s.coverage)
	}
	if s.partial.count < r.N {
		for _, p := range s.planes {
			s.convolveValid(p.source, r, p.target[to:to+r.N])
		}
	}
	for _, i := range s.partial.index[:s.partial.count] {
		coverage[i] = s.convolvePartial(r, int(i), to)
	}
}

// convolveValid convolves a row as if all pixels were valid.
func (s *sampler[T]) convolveValid(source []T, r *Row, target []T) {
	values := s.kernel.values[:len(target)]
	convolveRow(s.kernel, source, r, values)
	for i, value := range values {
		target[i] = s.round.to(value / s.kernel.sums[r.PhaseY[i]])
	}
}

// convolveRow computes the weighted sum of the pixels under the kernel at each position of a row.
func convolveRow[T raster.Sample](c *convolution, source []T, r *Row, sums []float64) {
	if convolveRowFast(c, source, r, sums) {
		return
	}
	for i, at := range r.At[:len(sums)] {
		sums[i] = convolveAt(source[int(at)-c.corner():], c.stride, c.x.phase(r.PhaseX[i]), c.y.phase(r.PhaseY[i]))
	}
}

// convolveAt returns the weighted sum of the pixels under the kernel. It sums columns first, then
// across in four sums. That order suits SIMD of four lanes, and all machines use it, so that
// results are equal. Conversions around products prevent fused multiply-add.
func convolveAt[T raster.Sample](window []T, stride int, wx, wy []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(wx) >= 4; wx, window = wx[4:], window[4:] {
		a, b := sumTwoColumns(window, stride, wy)
		c, d := sumTwoColumns(window[2:], stride, wy)
		s0 += float64(wx[0] * a)
		s1 += float64(wx[1] * b)
		s2 += float64(wx[2] * c)
		s3 += float64(wx[3] * d)
	}
	if len(wx) > 0 {
		a, b := sumTwoColumns(window, stride, wy)
		s0 += float64(wx[0] * a)
		s1 += float64(wx[1] * b)
	}
	return s0 + s2 + (s1 + s3)
}

func sumTwoColumns[T raster.Sample](window []T, stride int, wy []float64) (left, right float64) {
	for j, y := range wy {
		two := window[j*stride:][:2]
		left += float64(y * float64(two[0]))
		right += float64(y * float64(two[1]))
	}
	return left, right
}
