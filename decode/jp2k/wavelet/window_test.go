package wavelet_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tileserver/decode/jp2k/wavelet"
)

// synthesis is Synthesize53 or Synthesize97.
type synthesis[T wavelet.Number] func(*wavelet.Scratch[T], wavelet.Rect, *[4]wavelet.Plane[T], wavelet.Plane[T]) error

// within copies a part of p into a plane of its own. Its rows are longer than needed and padded
// with the strange sample.
func within[T wavelet.Number](p wavelet.Plane[T], part wavelet.Rect, strange T) wavelet.Plane[T] {
	const border = 3
	stride := part.Width() + 2*border
	samples := make([]T, (part.Height()+2*border)*stride)
	for i := range samples {
		samples[i] = strange
	}
	cut := wavelet.Plane[T]{Rect: part, Samples: samples[border*stride+border:], Stride: stride}
	for y := range part.Height() {
		from := (part.Y0+y-p.Rect.Y0)*p.Stride + part.X0 - p.Rect.X0
		copy(cut.Samples[y*stride:], p.Samples[from:from+part.Width()])
	}
	return cut
}

// checkWindow synthesizes a window from only the samples that it claims to need.
func checkWindow[T wavelet.Number](
	t *testing.T, f wavelet.Filter, synthesize synthesis[T], scratch *wavelet.Scratch[T], whole wavelet.Plane[T],
	bands *[4]wavelet.Plane[T], window wavelet.Rect,
) {
	t.Helper()
	const strange = 12345
	var parts [4]wavelet.Plane[T]
	for o, needed := range f.Needed(whole.Rect, window) {
		parts[o] = within(bands[o], needed, strange)
	}
	got := within(wavelet.NewPlane[T](window), window, strange)
	if err := synthesize(scratch, whole.Rect, &parts, got); err != nil {
		t.Fatalf("%v of %v: %v", window, whole.Rect, err)
	}
	want := within(whole, window, strange)
	for i, sample := range want.Samples {
		if bits(got.Samples[i]) != bits(sample) {
			t.Fatalf("%v of %v: sample %d of rows of %d is %v, in the whole %v", window, whole.Rect, i, got.Stride, got.Samples[i], sample)
		}
	}
}

// bits returns the bits of a sample, to compare float32 exactly.
func bits[T wavelet.Number](sample T) int64 {
	if f, ok := any(sample).(float32); ok {
		return int64(math.Float32bits(f))
	}
	return int64(sample)
}

// checkWindows checks random windows, and some of single samples.
func checkWindows[T wavelet.Number](t *testing.T, f wavelet.Filter, synthesize synthesis[T], r *rand.Rand, rect wavelet.Rect, sampleBits, count int) {
	t.Helper()
	bands, whole := randomBands[T](r, rect, sampleBits), wavelet.NewPlane[T](rect)
	scratch := new(wavelet.Scratch[T])
	if err := synthesize(scratch, rect, bands, whole); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		x, y := rect.X0+r.IntN(rect.Width()), rect.Y0+r.IntN(rect.Height())
		window := wavelet.Rect{X0: x, Y0: y, X1: x + 1, Y1: y + 1}
		if i%4 != 0 {
			window.X1, window.Y1 = x+1+r.IntN(rect.X1-x), y+1+r.IntN(rect.Y1-y)
		}
		checkWindow(t, f, synthesize, scratch, whole, bands, window)
	}
}

func checkAllFilters(t *testing.T, seed uint64, rect wavelet.Rect, count int) {
	t.Helper()
	checkWindows(t, wavelet.Filter53, wavelet.Synthesize53[int32], random(seed), rect, 32, count) // overflows wrap
	checkWindows(t, wavelet.Filter53, wavelet.Synthesize53[int64], random(seed), rect, 40, count)
	checkWindows(t, wavelet.Filter97, wavelet.Synthesize97, random(seed), rect, 20, count)
}

func TestWindowEqualsPartOfWhole(t *testing.T) {
	for i, rect := range wholes {
		checkAllFilters(t, uint64(i), rect, 40)
	}
}

func FuzzWindow(f *testing.F) {
	for i, r := range wholes {
		f.Add(uint64(i), uint16(r.X0), uint16(r.Y0), uint8(r.Width()-1), uint8(r.Height()-1))
	}
	f.Fuzz(func(t *testing.T, seed uint64, x, y uint16, width, height uint8) {
		rect := wavelet.Rect{X0: int(x), Y0: int(y), X1: int(x) + int(width) + 1, Y1: int(y) + int(height) + 1}
		checkAllFilters(t, seed, rect, 3)
	})
}

func TestNoAllocationsOnceWarm(t *testing.T) {
	rect := wavelet.Rect{X0: 1, Y0: 0, X1: 70, Y1: 50}
	integers, floats := randomBands[int32](random(1), rect, 10), randomBands[float32](random(2), rect, 10)
	toIntegers, toFloats := wavelet.NewPlane[int32](rect), wavelet.NewPlane[float32](rect)
	var ofIntegers wavelet.Scratch[int32]
	var ofFloats wavelet.Scratch[float32]
	coefficients := make([]int16, 20*20)
	block := wavelet.Rect{X0: 0, Y0: 0, X1: 20, Y1: 20}
	allocations := testing.AllocsPerRun(10, func() {
		if wavelet.Synthesize53(&ofIntegers, rect, integers, toIntegers) != nil || wavelet.Synthesize97(&ofFloats, rect, floats, toFloats) != nil ||
			wavelet.Place(&toIntegers, block, coefficients, 1) != nil || wavelet.Place(&toFloats, block, coefficients, 0.25) != nil {
			t.Fatal("a synthesis failed")
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations, want none", allocations)
	}
	if got, minLength := ofIntegers.Bytes(4), 4*70; got < minLength {
		t.Errorf("scratch memory has %d bytes, want at least %d", got, minLength)
	}
}

// What is exclusive to a window is needed by no sample outside of it, and all that is not exclusive is.
func TestWhatIsExclusiveToAWindow(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 300 {
		x, y := random.IntN(5), random.IntN(5)
		whole := wavelet.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(24), Y1: y + 1 + random.IntN(24)}
		x, y = whole.X0+random.IntN(whole.Width()), whole.Y0+random.IntN(whole.Height())
		window := wavelet.Rect{X0: x, Y0: y, X1: x + 1 + random.IntN(whole.X1-x), Y1: y + 1 + random.IntN(whole.Y1-y)}
		for _, f := range []wavelet.Filter{wavelet.Filter53, wavelet.Filter97} {
			exclusive := f.Exclusive(whole, window)
			for o, isNeeded := range neededOutside(f, whole, window) {
				band := wavelet.BandRect(whole, wavelet.Orientation(o))
				for y := band.Y0; y < band.Y1; y++ {
					for x := band.X0; x < band.X1; x++ {
						one := wavelet.Rect{X0: x, Y0: y, X1: x + 1, Y1: y + 1}
						if isExclusive := exclusive[o].Intersect(one) == one; isExclusive == isNeeded[[2]int{x, y}] {
							t.Fatalf("filter %v, %v of %v: of band %d, %v is exclusive, but %d,%d is needed outside: %v", f, window, whole, o, exclusive[o], x, y, !isExclusive)
						}
					}
				}
			}
		}
	}
}

// neededOutside returns which coefficients of each band the samples outside of a window need.
func neededOutside(f wavelet.Filter, whole, window wavelet.Rect) (needed [4]map[[2]int]bool) {
	for o := range needed {
		needed[o] = make(map[[2]int]bool)
	}
	for y := whole.Y0; y < whole.Y1; y++ {
		for x := whole.X0; x < whole.X1; x++ {
			one := wavelet.Rect{X0: x, Y0: y, X1: x + 1, Y1: y + 1}
			if window.Intersect(one) == one {
				continue
			}
			for o, r := range f.Needed(whole, one) {
				for y := r.Y0; y < r.Y1; y++ {
					for x := r.X0; x < r.X1; x++ {
						needed[o][[2]int{x, y}] = true
					}
				}
			}
		}
	}
	return needed
}
