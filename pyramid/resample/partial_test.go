package resample

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// randomCoverage returns runs of valid pixels, runs of nodata, and some in between.
func randomCoverage(random *rand.Rand, n int) []uint8 {
	coverage := make([]uint8, 0, n+20)
	for len(coverage) < n {
		c := []uint8{raster.Valid, raster.Valid, raster.Invalid, uint8(random.Uint32())}[random.IntN(4)]
		coverage = append(coverage, bytes.Repeat([]byte{c}, 1+random.IntN(20))...)
	}
	return coverage[:n]
}

func TestWeightsAreByCoverage(t *testing.T) {
	for _, kind := range []Method{Bilinear, Average, Cubic, Lanczos} {
		for _, scale := range []float64{1, 1.4, 2.3} {
			random := rand.New(rand.NewPCG(uint64(kind), uint64(scale*10)))
			for range 20 {
				checkWeights(t, random, kind.Kernel(scale), kind.Kernel(1.9))
			}
		}
	}
}

// checkWeights compares a row of two float bands, with NaN in invalid pixels, with the definition
// of the weighted mean.
func checkWeights(t *testing.T, random *rand.Rand, x, y Kernel) {
	t.Helper()
	window := raster.Rect{X1: x.taps() + random.IntN(40), Y1: y.taps() + random.IntN(20)}
	size, n := window.Width()*window.Height(), 1+random.IntN(RowPixels)
	s := sampler[float32]{coverage: randomCoverage(random, size), stride: window.Width(), targetCoverage: make([]uint8, n), round: rounderOf[float32]()}
	for range 2 {
		source := make([]float32, size)
		for i := range source {
			source[i] = 500 + random.Float32()
			if s.coverage[i] == raster.Invalid {
				source[i] = float32(math.NaN())
			}
		}
		s.planes = append(s.planes, plane[float32]{source, make([]float32, n)})
	}
	s.kernel, s.operation = newConvolution(x, y, window.Width()), convolving
	if x.taps() == 2 && y.taps() == 2 {
		s.operation = interpolating
	}
	r := randomRow(random, window, n, x.taps(), y.taps())
	s.row(r, 0)
	for i := range n {
		for _, p := range s.planes {
			want, covered := s.coveredMean(r, i, p.source)
			if got := float64(s.targetCoverage[i]); math.Abs(got-max(covered, 0)) > 0.5001 && covered < raster.Valid {
				t.Fatalf("%d by %d taps: pixel %d has coverage %v, want %v", x.taps(), y.taps(), i, got, covered)
			}
			if s.targetCoverage[i] == raster.Invalid {
				want = 0
			}
			if got := float64(p.target[i]); !(math.Abs(got-want) <= 1e-3*max(1, 255/covered)) {
				t.Fatalf("%d by %d taps: pixel %d is %v, want %v (coverage %v)", x.taps(), y.taps(), i, got, want, covered)
			}
		}
	}
}

// coveredMean returns the mean under a kernel, weighted by coverage, and the mean of the coverage,
// by definition.
func (s *sampler[T]) coveredMean(r *Row, i int, source []T) (mean, covered float64) {
	k, value := s.kernel, 0.0
	for j, y := range k.y.phase(r.PhaseY[i]) {
		for column, x := range k.x.phase(r.PhaseX[i]) {
			at := int(r.At[i]) - k.corner() + j*s.stride + column
			if weight := x * y * float64(s.coverage[at]); weight != 0 {
				covered += weight
				value += weight * float64(source[at])
			}
		}
	}
	return value / covered, covered
}

// A pixel is bit-identical whether or not there is nodata beside the pixels under its kernel. So a
// view with nodata joins a neighbor without.
func TestPartialPixelsDoNotAffectOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, kind := range []Method{Bilinear, Average, Cubic, Lanczos} {
		x, y := kind.Kernel(1.3), kind.Kernel(1.7)
		window := raster.Rect{X1: 60, Y1: 40}
		r := randomRow(random, window, RowPixels, x.taps(), y.taps())
		source := randomSamples[float32](random, 60*40)
		made := make([][]float32, 2)
		coverage := bytes.Repeat([]byte{raster.Valid}, 60*40)
		for row := range 40 {
			coverage[row*60+30] = 100
		}
		s := sampler[float32]{stride: 60, targetCoverage: make([]uint8, r.N), round: rounderOf[float32](), kernel: newConvolution(x, y, 60), operation: convolving}
		if x.taps() == 2 && y.taps() == 2 {
			s.operation = interpolating
		}
		for i, c := range [][]uint8{nil, coverage} {
			made[i] = make([]float32, r.N)
			s.coverage, s.planes = c, []plane[float32]{{source, made[i]}}
			s.row(r, 0)
		}
		if s.partial.count == 0 || s.partial.count == r.N {
			t.Fatalf("%v: %d pixels of %d see the hole", kind, s.partial.count, r.N)
		}
		for i := range r.N {
			sees := bytes.IndexByte(s.partial.index[:s.partial.count], uint8(i)) >= 0
			if got, want := made[1][i], made[0][i]; !sees && got != want {
				t.Errorf("%v: pixel %d is %v beside a hole, want %v", kind, i, got, want)
			}
		}
	}
}
