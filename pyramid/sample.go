package pyramid

import (
	"math"

	"tileserver/raster"
)

// rowSampler fills a row segment of some bands of the view, starting at index to.
type rowSampler interface {
	row(g *geometry, to int)
}

// samplers returns the samplers that together fill all bands.
func (r *reader) samplers(w window, l *filter) []rowSampler {
	switch r.target.Type() {
	case raster.Uint8:
		return samplersOf[uint8](r, w, l)
	case raster.Int8:
		return samplersOf[int8](r, w, l)
	case raster.Uint16:
		return samplersOf[uint16](r, w, l)
	case raster.Int16:
		return samplersOf[int16](r, w, l)
	case raster.Uint32:
		return samplersOf[uint32](r, w, l)
	case raster.Int32:
		return samplersOf[int32](r, w, l)
	case raster.Uint64:
		return samplersOf[uint64](r, w, l)
	case raster.Int64:
		return samplersOf[int64](r, w, l)
	case raster.Float32:
		return samplersOf[float32](r, w, l)
	default:
		return samplersOf[float64](r, w, l)
	}
}

// samplersOf returns one sampler for all bands, or one for each band if bands have their own
// coverage.
func samplersOf[T raster.Sample](r *reader, w window, l *filter) []rowSampler {
	base := sampler[T]{stride: w.rect.Width(), method: l.method(), round: rounderOf[T]()}
	if base.method == convolving {
		base.kernel = newConvolution(l.x, l.y, base.stride)
	}
	planes := make([]plane[T], len(r.bands))
	for b := range planes {
		planes[b] = plane[T]{raster.Samples[T](w.tile, b), raster.Writable[T](r.target, b)}
	}
	if w.tile.HasOwnValidity() {
		for b := range r.bands {
			r.target.OwnValidity(b)
		}
	}
	if !r.target.HasOwnValidity() {
		base.planes, base.coverage, base.targetCoverage = planes, w.tile.Validity(0), r.target.Validity(0)
		return []rowSampler{&base}
	}
	all := make([]rowSampler, len(r.bands))
	for b := range all {
		s := base
		s.planes, s.coverage, s.targetCoverage = planes[b:b+1], w.tile.Validity(b), r.target.Validity(b)
		all[b] = &s
	}
	return all
}

type method uint8

const (
	picking method = iota
	interpolating
	convolving
)

func (l *filter) method() method {
	switch {
	case l.x.weight == nil:
		return picking
	case l.x.taps() == 2 && l.y.taps() == 2:
		return interpolating
	default:
		return convolving
	}
}

// plane is one band: its source samples and its target samples.
type plane[T raster.Sample] struct{ source, target []T }

// sampler resamples bands of type T that share their coverage.
type sampler[T raster.Sample] struct {
	planes         []plane[T]
	coverage       []uint8 // nil: all pixels are valid
	stride         int     // of source and coverage
	targetCoverage []uint8
	method         method
	kernel         *convolution // nil for other methods
	round          rounder[T]
	partial        partialPixels // in the current row
}

func (s *sampler[T]) row(g *geometry, to int) {
	coverage := s.targetCoverage[to : to+g.n]
	switch s.method {
	case picking:
		s.pick(g, to, coverage)
	case interpolating:
		s.interpolate(g, to, coverage)
	default:
		s.convolve(g, to, coverage)
	}
	if g.anyOut {
		s.clearOutside(g, to, coverage)
	}
}

func (s *sampler[T]) clearOutside(g *geometry, to int, coverage []uint8) {
	for i, out := range g.out[:g.n] {
		if !out {
			continue
		}
		coverage[i] = raster.Invalid
		for _, p := range s.planes {
			p.target[to+i] = 0
		}
	}
}

func fillValid(coverage []uint8) {
	for i := range coverage {
		coverage[i] = raster.Valid
	}
}

func (s *sampler[T]) pick(g *geometry, to int, coverage []uint8) {
	at := g.at[:g.n]
	for _, p := range s.planes {
		pickFrom(p.source, at, p.target[to:])
	}
	if s.coverage == nil {
		fillValid(coverage)
		return
	}
	pickFrom(s.coverage, at, coverage)
}

func pickFrom[T any](source []T, at []int32, target []T) {
	target = target[:len(at)]
	for i, from := range at {
		target[i] = source[from]
	}
}

// rounder converts sums to samples.
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

// to converts v to T. It rounds and clamps if T is an integer.
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
