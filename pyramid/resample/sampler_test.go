package resample

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// randomRow returns a row of n pixels at random positions in a window. A kernel with the given
// taps fits everywhere, down to the first and the last sample.
func randomRow(random *rand.Rand, window raster.Rect, n, tapsX, tapsY int) *Row {
	r := &Row{N: n}
	left, top := tapsX/2-1, tapsY/2-1
	columns, rows := window.Width()-tapsX+1, window.Height()-tapsY+1
	r.Lowest = top*window.Width() + left
	r.Highest = (top+rows-1)*window.Width() + left + columns - 1
	for i := range n {
		r.At[i] = int32((top+random.IntN(rows))*window.Width() + left + random.IntN(columns))
		r.PhaseX[i], r.PhaseY[i] = uint8(random.Uint32()), uint8(random.Uint32())
	}
	r.At[random.IntN(n)] = int32(r.Highest)
	r.At[random.IntN(n)] = int32(r.Lowest)
	return r
}

// nearRow returns a row like randomRow whose pixels mostly follow one another in a row of the window, like
// those of a view, and which mostly leaves out the last rows of the window.
func nearRow(random *rand.Rand, window raster.Rect, n int) *Row {
	r, step := randomRow(random, window, n, 2, 2), 1+random.IntN(3)
	columns, rows := window.Width()-1, window.Height()-1
	rows -= random.IntN(rows)
	r.Highest = (rows-1)*window.Width() + columns - 1
	x, y := 0, 0
	for i := range n {
		r.At[i] = int32(y*window.Width() + x)
		if x += random.IntN(step + 1); x >= columns || random.IntN(40) == 0 {
			x, y = random.IntN(columns), random.IntN(rows)
		}
	}
	return r
}

// randomSamples returns samples from the whole range of T, and often its bounds.
func randomSamples[T raster.Sample](random *rand.Rand, n int) []T {
	low, high := raster.TypeOf[T]().Limits()
	samples := make([]T, n)
	for i := range samples {
		part := []float64{0, 1, random.Float64(), random.Float64()}[random.IntN(4)]
		samples[i] = raster.Clamp[T](low*(1-part) + high*part)
	}
	return samples
}

const twinSeeds = 60

func TestInterpolationIsTheSameInAssembly(t *testing.T) {
	for seed := range uint64(twinSeeds) {
		compareAllInterpolations(t, seed)
	}
}

func FuzzInterpolationIsTheSameInAssembly(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareAllInterpolations(t, seed) })
}

func compareAllInterpolations(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	compareInterpolations[uint8](t, random)
	compareInterpolations[uint16](t, random)
	compareInterpolations[int16](t, random)
	compareInterpolations[int32](t, random)
	compareInterpolations[float32](t, random)
}

// compareInterpolations compares the assembly, if any, with the plain Go code and with the
// definition.
func compareInterpolations[T raster.Sample](t *testing.T, random *rand.Rand) {
	t.Helper()
	window := raster.Rect{X0: 5, Y0: -3, X1: 7 + random.IntN(40), Y1: -1 + random.IntN(20)}
	stride, n := window.Width(), 1+random.IntN(RowPixels)
	r := nearRow(random, window, n)
	if random.IntN(3) == 0 {
		r = randomRow(random, window, n, 2, 2)
	}
	source := randomSamples[T](random, stride*window.Height())
	round := rounderOf[T]()
	target, plain := make([]T, n+8), make([]T, n)
	interpolateValid(source, stride, r, target[:n], round)
	interpolateFrom(0, source, stride, r, plain, round)
	for i, got := range target[:n] {
		if got != plain[i] {
			t.Fatalf("%T %d of %d is %v, and %v in plain Go", got, i, n, got, plain[i])
		}
		if want := mean(source, stride, r, i); math.Abs(float64(got)-float64(round.to(want))) > 1e-7*math.Abs(want) {
			t.Fatalf("%T %d of %d is %v, want %v", got, i, n, got, want)
		}
	}
	for i, v := range target[n:] {
		if v != 0 {
			t.Fatalf("%T %d was written after %d", v, n+i, n)
		}
	}
}

// mean returns the mean of four neighbors by definition. It is exact for integers of up to 32 bits.
func mean[T raster.Sample](source []T, stride int, r *Row, i int) (sum float64) {
	for j := range 4 {
		x, y := float64(r.PhaseX[i])/phases, float64(r.PhaseY[i])/phases
		if j%2 == 0 {
			x = 1 - x
		}
		if j/2 == 0 {
			y = 1 - y
		}
		sum += x * y * float64(source[int(r.At[i])+j%2+j/2*stride])
	}
	return sum
}

func TestConvolutionIsTheSameInAssembly(t *testing.T) {
	for seed := range uint64(twinSeeds) {
		compareAllConvolutions(t, seed)
	}
}

func FuzzConvolutionIsTheSameInAssembly(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { compareAllConvolutions(t, seed) })
}

func compareAllConvolutions(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 2))
	compareConvolutions[uint8](t, random)
	compareConvolutions[uint16](t, random)
	compareConvolutions[int16](t, random)
	compareConvolutions[float32](t, random)
	compareConvolutions[int32](t, random)
}

func compareConvolutions[T raster.Sample](t *testing.T, random *rand.Rand) {
	t.Helper()
	kind := []Method{Cubic, Lanczos, Average, Bilinear}[random.IntN(4)]
	x, y := kind.Kernel(1+3*random.Float64()), kind.Kernel(1+3*random.Float64())
	window := raster.Rect{X1: x.taps() + random.IntN(40), Y1: y.taps() + random.IntN(20)}
	n := 1 + random.IntN(RowPixels)
	r := randomRow(random, window, n, x.taps(), y.taps())
	source := randomSamples[T](random, window.Width()*window.Height())
	c := newConvolution(x, y, window.Width())
	sums := make([]float64, n+4)
	convolveRow(c, source, r, sums[:n])
	for i, got := range sums[:n] {
		under, wx, wy := source[int(r.At[i])-c.corner():], c.x.phase(r.PhaseX[i]), c.y.phase(r.PhaseY[i])
		if plain := convolveAt(under, c.stride, wx, wy); got != plain {
			t.Fatalf("%T, %v, %d by %d taps: %d of %d is %v, and %v in plain Go", source, kind, len(wx), len(wy), i, n, got, plain)
		}
		if want, size := weighted(under, c.stride, wx, wy); math.Abs(got-want) > 1e-13*size {
			t.Fatalf("%T, %v, %d by %d taps: %d of %d is %v, want %v", source, kind, len(wx), len(wy), i, n, got, want)
		}
	}
	for i, v := range sums[n:] {
		if v != 0 {
			t.Fatalf("number %d was written after %d", n+i, n)
		}
	}
}

// weighted returns the weighted sum of the pixels under a kernel by definition, and the sum of the
// absolute values of its terms.
func weighted[T raster.Sample](under []T, stride int, wx, wy []float64) (sum, size float64) {
	for j, y := range wy {
		for k, x := range wx {
			part := x * y * float64(under[j*stride+k])
			sum += part
			size += math.Abs(part)
		}
	}
	return sum, size
}

func BenchmarkInterpolate(b *testing.B) {
	random, window := rand.New(rand.NewPCG(1, 1)), raster.Rect{X1: 90, Y1: 40}
	r := randomRow(random, window, RowPixels, 2, 2)
	b.Run("uint8", func(b *testing.B) { benchmarkInterpolate[uint8](b, window, r) })
	b.Run("uint16", func(b *testing.B) { benchmarkInterpolate[uint16](b, window, r) })
	b.Run("int16", func(b *testing.B) { benchmarkInterpolate[int16](b, window, r) })
	b.Run("float32", func(b *testing.B) { benchmarkInterpolate[float32](b, window, r) })
	for i := range r.At {
		r.At[i] = int32(i / 2)
	}
	r.Highest = RowPixels / 2
	b.Run("near uint8", func(b *testing.B) { benchmarkInterpolate[uint8](b, window, r) })
}

// benchmarkInterpolate interpolates a row of the maximum length.
func benchmarkInterpolate[T raster.Sample](b *testing.B, window raster.Rect, r *Row) {
	source := randomSamples[T](rand.New(rand.NewPCG(1, 2)), window.Width()*window.Height())
	target, round := make([]T, RowPixels), rounderOf[T]()
	for b.Loop() {
		interpolateValid(source, window.Width(), r, target, round)
	}
}

func BenchmarkConvolve(b *testing.B) {
	b.Run("uint8", benchmarkConvolve[uint8])
	b.Run("uint16", benchmarkConvolve[uint16])
	b.Run("int16", benchmarkConvolve[int16])
	b.Run("float32", benchmarkConvolve[float32])
}

// benchmarkConvolve convolves a row of the maximum length with 6 by 6 taps.
func benchmarkConvolve[T raster.Sample](b *testing.B) {
	random, window, kernel := rand.New(rand.NewPCG(1, 1)), raster.Rect{X1: 90, Y1: 40}, Lanczos.Kernel(1)
	source := randomSamples[T](random, window.Width()*window.Height())
	r, sums := randomRow(random, window, RowPixels, kernel.taps(), kernel.taps()), make([]float64, RowPixels)
	c := newConvolution(kernel, kernel, window.Width())
	for b.Loop() {
		convolveRow(c, source, r, sums)
	}
}
