package resample

import "tileserver/raster"

// plane is one band: its source samples and its target samples.
type plane[T raster.Sample] struct{ source, target []T }

// sampler resamples bands of type T that share their coverage.
type sampler[T raster.Sample] struct {
	planes         []plane[T]
	coverage       []uint8 // nil: all pixels are valid
	stride         int     // of source and coverage
	targetCoverage []uint8
	operation      operation
	kernel         *convolution // nil for other methods
	round          rounder[T]
	partial        partialPixels // in the current row
}

func (s *sampler[T]) row(r *Row, to int) {
	coverage := s.targetCoverage[to : to+r.N]
	switch s.operation {
	case picking:
		s.pick(r, to, coverage)
	case interpolating:
		s.interpolate(r, to, coverage)
	default:
		s.convolve(r, to, coverage)
	}
	if r.AnyOutside {
		s.clearOutside(r, to, coverage)
	}
}

func (s *sampler[T]) clearOutside(r *Row, to int, coverage []uint8) {
	for i, out := range r.Outside[:r.N] {
		if !out {
			continue
		}
		coverage[i] = raster.Invalid
		for _, p := range s.planes {
			p.target[to+i] = 0
		}
	}
}

// fillValid marks pixels of a row as valid.
func fillValid(coverage []uint8) { copy(coverage, validRow[:]) }

var validRow = func() (row [RowPixels]uint8) {
	for i := range row {
		row[i] = raster.Valid
	}
	return row
}()

func (s *sampler[T]) pick(r *Row, to int, coverage []uint8) {
	at := r.At[:r.N]
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
