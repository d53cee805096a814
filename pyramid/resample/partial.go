package resample

import (
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// partialPixels lists the pixels of a row segment with invalid pixels under their kernel. They are
// usually few. A row is first resampled as if all were valid, and then these pixels again, with
// weights by coverage. So the result of a pixel does not depend on whether its neighbors are
// partial.
type partialPixels struct {
	count int
	index [RowPixels]uint8
}

func (h *partialPixels) add(i int) {
	h.index[h.count] = uint8(i)
	h.count++
}

// findUnderFour finds the partial pixels among positions with four neighbors.
func (h *partialPixels) findUnderFour(r *Row, coverage []uint8, stride int) {
	h.count = 0
	for i, at := range r.At[:r.N] {
		above := binary.LittleEndian.Uint16(coverage[at:])
		below := binary.LittleEndian.Uint16(coverage[int(at)+stride:])
		if above&below != math.MaxUint16 {
			h.add(i)
		}
	}
}

// findUnder finds the partial pixels for a kernel.
func (h *partialPixels) findUnder(c *convolution, r *Row, coverage []uint8) {
	h.count = 0
	for i, at := range r.At[:r.N] {
		if !allValidUnder(c, coverage[int(at)-c.corner():]) {
			h.add(i)
		}
	}
}

func allValidUnder(c *convolution, coverage []uint8) bool {
	for j := range c.y.taps {
		row := coverage[j*c.stride:][:c.x.taps]
		for ; len(row) >= 4; row = row[4:] {
			if binary.LittleEndian.Uint32(row) != math.MaxUint32 {
				return false
			}
		}
		if len(row) > 0 && binary.LittleEndian.Uint16(row) != math.MaxUint16 {
			return false
		}
	}
	return true
}

// clear sets a pixel of each band to 0.
func (s *sampler[T]) clear(pixel int) {
	for _, p := range s.planes {
		p.target[pixel] = 0
	}
}

// interpolatePartial computes a pixel of each band with weights by coverage, and returns its
// coverage.
func (s *sampler[T]) interpolatePartial(r *Row, i, to int) uint8 {
	at := int(r.At[i])
	above, below := s.coverage[at:][:2], s.coverage[at+s.stride:][:2]
	x, y := uint32(r.PhaseX[i]), uint32(r.PhaseY[i])
	a, b := (phases-x)*(phases-y)*uint32(above[0]), x*(phases-y)*uint32(above[1])
	c, d := (phases-x)*y*uint32(below[0]), x*y*uint32(below[1])
	sum := a + b + c + d
	coverage := uint8((sum + phases*phases/2) / (phases * phases))
	if coverage == raster.Invalid {
		s.clear(to + i)
		return raster.Invalid
	}
	four := [4]float64{float64(a), float64(b), float64(c), float64(d)}
	for _, p := range s.planes {
		value := weightedFour(&four, p.source[at:][:2], p.source[at+s.stride:][:2])
		p.target[to+i] = s.round.to(value / float64(sum))
	}
	return coverage
}

func weightedFour[T raster.Sample](weights *[4]float64, above, below []T) float64 {
	sum := float64(weights[0]*float64(above[0])) + float64(weights[1]*float64(above[1]))
	sum += float64(weights[2] * float64(below[0]))
	sum += float64(weights[3] * float64(below[1]))
	if sum == sum {
		return sum
	}
	return addCovered(addCovered(0, above, weights[:2]), below, weights[2:])
}

// addCovered adds weighted samples to a sum, in order. It skips samples without weight, because a
// sample without coverage may be NaN.
func addCovered[T raster.Sample](sum float64, samples []T, weights []float64) float64 {
	for k, weight := range weights {
		if weight != 0 {
			sum += float64(weight * float64(samples[k]))
		}
	}
	return sum
}

// convolvePartial computes a pixel of each band with weights by coverage, and returns its coverage.
func (s *sampler[T]) convolvePartial(r *Row, i, to int) uint8 {
	k := s.kernel
	start := int(r.At[i]) - k.corner()
	weights, sum := k.weights[:0], 0.0
	for j, y := range k.y.phase(r.PhaseY[i]) {
		covered := s.coverage[start+j*s.stride:][:k.x.taps]
		for column, x := range k.x.phase(r.PhaseX[i]) {
			weight := float64(float64(x*y) * float64(covered[column]))
			weights = append(weights, weight)
			sum += weight
		}
	}
	coverage := raster.Clamp[uint8](sum)
	if coverage == raster.Invalid {
		s.clear(to + i)
		return raster.Invalid
	}
	for _, p := range s.planes {
		p.target[to+i] = s.round.to(weightedRows(weights, k.x.taps, p.source[start:], s.stride) / sum)
	}
	return coverage
}

// weightedRows returns the weighted sum of samples. The weights are stored row by row.
func weightedRows[T raster.Sample](weights []float64, columns int, samples []T, stride int) (sum float64) {
	for j := 0; j*columns < len(weights); j++ {
		row := samples[j*stride:][:columns]
		for k, weight := range weights[j*columns:][:columns] {
			sum += float64(weight * float64(row[k]))
		}
	}
	if sum == sum {
		return sum
	}
	sum = 0
	for j := 0; j*columns < len(weights); j++ {
		sum = addCovered(sum, samples[j*stride:], weights[j*columns:][:columns])
	}
	return sum
}
