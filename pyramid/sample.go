package pyramid

import (
	"encoding/binary"
	"math"

	"tileserver/raster"
)

// rowSampler fills a piece of a row of one band of the view, from index to on.
type rowSampler interface {
	row(g *geometry, to int)
}

// samplers makes one sampler a band.
func (r *reading) samplers(w window) []rowSampler {
	switch r.target.Type() {
	case raster.Uint8:
		return samplersOf[uint8](r, w)
	case raster.Int8:
		return samplersOf[int8](r, w)
	case raster.Uint16:
		return samplersOf[uint16](r, w)
	case raster.Int16:
		return samplersOf[int16](r, w)
	case raster.Uint32:
		return samplersOf[uint32](r, w)
	case raster.Int32:
		return samplersOf[int32](r, w)
	case raster.Uint64:
		return samplersOf[uint64](r, w)
	case raster.Int64:
		return samplersOf[int64](r, w)
	case raster.Float32:
		return samplersOf[float32](r, w)
	default:
		return samplersOf[float64](r, w)
	}
}

func samplersOf[T raster.Sample](r *reading, w window) []rowSampler {
	base := sampler[T]{stride: w.rect.Width(), method: r.method(), round: rounderOf[T]()}
	if base.method == convolution {
		base.x, base.y = r.kernelX.weights(), r.kernelY.weights()
	}
	if w.tile.HasOwnValidity() {
		for b := range r.bands {
			r.target.OwnValidity(b)
		}
	}
	all := make([]rowSampler, len(r.bands))
	for b := range r.bands {
		s := base
		s.source, s.coverage = raster.Samples[T](w.tile, b), w.tile.Validity(b)
		s.target, s.targetCoverage = raster.Writable[T](r.target, b), r.target.Validity(b)
		all[b] = &s
	}
	return all
}

type method uint8

const (
	pick method = iota
	interpolation
	convolution
)

func (r *reading) method() method {
	switch {
	case r.kernelX.weight == nil:
		return pick
	case r.kernelX.taps() == 2 && r.kernelY.taps() == 2:
		return interpolation
	default:
		return convolution
	}
}

// sampler resamples one band of samples of type T.
type sampler[T raster.Sample] struct {
	source         []T
	coverage       []uint8 // nil: all is valid
	stride         int     // of both
	target         []T
	targetCoverage []uint8
	method         method
	x, y           weights // for a convolution
	round          rounder[T]
}

func (s *sampler[T]) row(g *geometry, to int) {
	target, coverage := s.target[to:to+g.n], s.targetCoverage[to:to+g.n]
	switch {
	case s.method == pick:
		s.pick(g, target, coverage)
	case s.method == convolution:
		s.convolve(g, target, coverage)
	case s.coverage != nil:
		s.interpolateCovered(g, target, coverage)
	default:
		s.interpolate(g, target)
		fillValid(coverage)
	}
	if g.anyOut {
		for i, out := range g.out[:g.n] {
			if out {
				target[i], coverage[i] = 0, raster.Invalid
			}
		}
	}
}

func fillValid(coverage []uint8) {
	for i := range coverage {
		coverage[i] = raster.Valid
	}
}

func (s *sampler[T]) pick(g *geometry, target []T, coverage []uint8) {
	at := g.at[:len(target)]
	for i := range target {
		target[i] = s.source[at[i]]
	}
	if s.coverage == nil {
		fillValid(coverage)
		return
	}
	for i := range coverage {
		coverage[i] = s.coverage[at[i]]
	}
}

// interpolate is bilinear where all is valid.
func (s *sampler[T]) interpolate(g *geometry, target []T) {
	if bytes, ok := any(target).([]uint8); ok {
		interpolateBytes(any(s.source).([]uint8), s.stride, g, bytes)
		return
	}
	at, fx, fy := g.at[:len(target)], g.fx[:len(target)], g.fy[:len(target)]
	for i := range target {
		top := s.source[at[i]:][:2]
		bottom := s.source[int(at[i])+s.stride:][:2]
		x, y := float64(fx[i])/phases, float64(fy[i])/phases
		a := float64(top[0]) + (float64(top[1])-float64(top[0]))*x
		b := float64(bottom[0]) + (float64(bottom[1])-float64(bottom[0]))*x
		target[i] = s.round.to(a + (b-a)*y)
	}
}

// interpolateBytes is interpolate for bytes: two neighbours are loaded at once
// and weighted in the two halves of a word. It rounds exactly.
func interpolateBytes(source []uint8, stride int, g *geometry, target []uint8) {
	at, fx, fy := g.at[:len(target)], g.fx[:len(target)], g.fy[:len(target)]
	for i := range target {
		top := uint64(binary.LittleEndian.Uint16(source[at[i]:]))
		bottom := uint64(binary.LittleEndian.Uint16(source[int(at[i])+stride:]))
		y := uint64(fy[i])
		both := spread(top)*(phases-y) + spread(bottom)*y
		x := uint32(fx[i])
		target[i] = uint8((uint32(both)*(phases-x) + uint32(both>>32)*x + 1<<15) >> 16)
	}
}

// spread moves the second of two bytes into the upper half of a word.
func spread(two uint64) uint64 { return (two | two<<24) & 0xff_000000ff }

// interpolateCovered is bilinear with weights by coverage.
func (s *sampler[T]) interpolateCovered(g *geometry, target []T, coverage []uint8) {
	at, fx, fy := g.at[:len(target)], g.fx[:len(target)], g.fy[:len(target)]
	for i := range target {
		above, below := int(at[i]), int(at[i])+s.stride
		c := [4]uint8{s.coverage[above], s.coverage[above+1], s.coverage[below], s.coverage[below+1]}
		x, y := uint32(fx[i]), uint32(fy[i])
		w := [4]uint32{(phases - x) * (phases - y), x * (phases - y), (phases - x) * y, x * y}
		p := [4]T{s.source[above], s.source[above+1], s.source[below], s.source[below+1]}
		var sum uint32
		var value float64
		for j := range p {
			// A sample without coverage may be NaN: it must not be multiplied.
			if weight := w[j] * uint32(c[j]); weight > 0 {
				sum += weight
				value += float64(weight) * float64(p[j])
			}
		}
		coverage[i] = uint8((sum + 1<<15) >> 16)
		if coverage[i] > 0 {
			target[i] = s.round.to(value / float64(sum))
		}
	}
}

// convolve is any other kernel, with weights by coverage.
func (s *sampler[T]) convolve(g *geometry, target []T, coverage []uint8) {
	firstX, firstY := s.x.taps/2-1, s.y.taps/2-1
	for i := range target {
		wx, wy := s.x.phase(g.fx[i]), s.y.phase(g.fy[i])
		start := int(g.at[i]) - firstY*s.stride - firstX
		var value, sum float64
		for j, y := range wy {
			row := s.source[start+j*s.stride:][:len(wx)]
			var rowValue, rowSum float64
			if s.coverage == nil {
				for k, x := range wx {
					rowValue += float64(x) * float64(row[k])
				}
				rowSum = 1
			} else {
				for k, c := range s.coverage[start+j*s.stride:][:len(wx)] {
					if c > 0 {
						w := float64(wx[k]) * float64(c)
						rowSum += w / raster.Valid
						rowValue += w / raster.Valid * float64(row[k])
					}
				}
			}
			value += rowValue * float64(y)
			sum += rowSum * float64(y)
		}
		coverage[i] = raster.Clamp[uint8](sum * raster.Valid)
		if coverage[i] > 0 {
			target[i] = s.round.to(value / sum)
		}
	}
}

// rounder makes samples of sums.
type rounder[T raster.Sample] struct {
	float           bool
	low, high       float64
	lowest, highest T
}

func rounderOf[T raster.Sample]() rounder[T] {
	t := raster.TypeOf[T]()
	low, high := t.Limits()
	return rounder[T]{t.IsFloat(), low, high, raster.Clamp[T](low), raster.Clamp[T](high)}
}

// to is v as a T, rounded and clamped where T is an integer.
func (r *rounder[T]) to(v float64) T {
	switch {
	case r.float:
		return T(v)
	case v <= r.low:
		return r.lowest
	case v >= r.high:
		return r.highest
	default:
		return T(math.Floor(v + 0.5))
	}
}
