package resample

import "tileserver/raster"

// Filter resamples a window to a target with a pair of kernels.
type Filter struct {
	x, y     Kernel
	samplers []rowSampler // fill all bands of the target together
}

// rowSampler fills a row segment of some bands of the target, starting at index to.
type rowSampler interface {
	row(r *Row, to int)
}

// NewFilter returns the filter of a window for all bands of a target, which are the first of the
// window. Target has coverage.
func NewFilter(window raster.Tile, target *raster.Buffer, x, y Kernel) *Filter {
	f := &Filter{x: x, y: y}
	f.samplers = f.samplersFor(window, target)
	return f
}

// Has reports whether f has the given kernels. The kernels of f and these must be of one method.
func (f *Filter) Has(x, y Kernel) bool { return f.x.stretch == x.stretch && f.y.stretch == y.stretch }

// Resample fills a row segment of the target, starting at index to.
func (f *Filter) Resample(r *Row, to int) {
	for _, s := range f.samplers {
		s.row(r, to)
	}
}

func (f *Filter) samplersFor(window raster.Tile, target *raster.Buffer) []rowSampler {
	switch target.Type() {
	case raster.Uint8:
		return samplersOf[uint8](f, window, target)
	case raster.Int8:
		return samplersOf[int8](f, window, target)
	case raster.Uint16:
		return samplersOf[uint16](f, window, target)
	case raster.Int16:
		return samplersOf[int16](f, window, target)
	case raster.Uint32:
		return samplersOf[uint32](f, window, target)
	case raster.Int32:
		return samplersOf[int32](f, window, target)
	case raster.Uint64:
		return samplersOf[uint64](f, window, target)
	case raster.Int64:
		return samplersOf[int64](f, window, target)
	case raster.Float32:
		return samplersOf[float32](f, window, target)
	default:
		return samplersOf[float64](f, window, target)
	}
}

// samplersOf returns one sampler for all bands, or one for each band if bands have their own
// coverage.
func samplersOf[T raster.Sample](f *Filter, window raster.Tile, target *raster.Buffer) []rowSampler {
	base := sampler[T]{stride: window.Width(), operation: f.operation(), round: rounderOf[T]()}
	if base.operation == convolving {
		base.kernel = newConvolution(f.x, f.y, base.stride)
	}
	planes := make([]plane[T], target.Bands())
	for b := range planes {
		planes[b] = plane[T]{raster.Samples[T](window, b), raster.Writable[T](target, b)}
	}
	if window.HasOwnValidity() {
		for b := range planes {
			target.OwnValidity(b)
		}
	}
	if !target.HasOwnValidity() {
		base.planes, base.coverage, base.targetCoverage = planes, window.Validity(0), target.Validity(0)
		return []rowSampler{&base}
	}
	all := make([]rowSampler, len(planes))
	for b := range all {
		s := base
		s.planes, s.coverage, s.targetCoverage = planes[b:b+1], window.Validity(b), target.Validity(b)
		all[b] = &s
	}
	return all
}

// operation is what a sampler does to compute pixels.
type operation uint8

const (
	picking operation = iota
	interpolating
	convolving
)

func (f *Filter) operation() operation {
	switch {
	case f.x.IsNearest():
		return picking
	case f.x.taps() == 2 && f.y.taps() == 2:
		return interpolating
	default:
		return convolving
	}
}
