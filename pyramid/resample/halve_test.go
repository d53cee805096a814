package resample

import (
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// Whatever code path is taken, a pixel is the mean of its four by coverage, or the first valid one.
// Coverage elsewhere changes no bit of fully valid pixels.
func TestHalvingIsTheMeanByCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 5}, {8, 2}, {15, 4}, {16, 3}, {17, 17}, {33, 2}, {64, 31}, {101, 9}} {
		for _, coverage := range []func(x, y int) uint8{
			nil,
			func(x, y int) uint8 { return uint8(random.IntN(256)) },
			func(x, y int) uint8 { return uint8(255 * random.IntN(2)) },
			func(x, y int) uint8 { return uint8(255 * (x / 20 % 2)) },
			func(x, y int) uint8 { return uint8(random.IntN(500) / 499) },
		} {
			for _, pick := range []bool{false, true} {
				halveBothWays[uint8](t, random, size, coverage, pick)
				halveBothWays[int8](t, random, size, coverage, pick)
				halveBothWays[uint16](t, random, size, coverage, pick)
				halveBothWays[int32](t, random, size, coverage, pick)
				halveBothWays[uint64](t, random, size, coverage, pick)
				halveBothWays[float32](t, random, size, coverage, pick)
				halveBothWays[float64](t, random, size, coverage, pick)
			}
		}
	}
}

func halveBothWays[T raster.Sample](t *testing.T, random *rand.Rand, size [2]int, coverage func(x, y int) uint8, pick bool) {
	t.Helper()
	width, height := size[0], size[1]
	b := raster.NewBuffer(raster.TypeOf[T](), width, height, 1)
	for i := range raster.Writable[T](b, 0) {
		raster.Writable[T](b, 0)[i] = T(random.IntN(256)-100*random.IntN(2)*int(b.Type()&1)) / 3
	}
	if coverage != nil {
		plane := make([]uint8, width*height)
		for i := range plane {
			plane[i] = coverage(i%width, i/width)
		}
		b.SetValidity(plane)
	}
	source := b.Freeze()
	got := Halve(source, []bool{pick})
	want := raster.NewBuffer(source.Type(), (width+1)/2, (height+1)/2, 1)
	wantCoverage := make([]uint8, want.Width()*want.Height())
	for i := range wantCoverage {
		raster.Writable[T](want, 0)[i], wantCoverage[i] = halvedPixel[T](source, i%want.Width(), i/want.Width(), pick)
	}
	want.SetValidity(wantCoverage)
	if want := want.Freeze(); !got.SamePixels(want) {
		t.Errorf("%v %dx%d pick %v: %v %v, want %v %v", source.Type(), width, height, pick,
			raster.Samples[T](got, 0), got.Validity(0), raster.Samples[T](want, 0), want.Validity(0))
	}
}

// halvedPixel computes a pixel by definition, with edge pixels repeated beyond the image.
func halvedPixel[T raster.Sample](t raster.Tile, x, y int, pick bool) (T, uint8) {
	var values, weights []float64
	var first *T
	weight := 0
	for _, at := range [][2]int{{2 * x, 2 * y}, {2*x + 1, 2 * y}, {2 * x, 2*y + 1}, {2*x + 1, 2*y + 1}} {
		i := min(at[1], t.Height()-1)*t.Width() + min(at[0], t.Width()-1)
		_, coverage := t.At(0, i%t.Width(), i/t.Width())
		weight += int(coverage)
		if coverage > 0 {
			value := raster.Samples[T](t, 0)[i]
			values, weights = append(values, float64(value)), append(weights, float64(coverage))
			if first == nil {
				first = &value
			}
		}
	}
	if weight == 0 {
		return 0, raster.Invalid
	}
	coverage := max(1, uint8((weight+2)/4))
	if pick {
		return *first, coverage
	}
	var sum, total float64
	for i, v := range values {
		if weight == 4*raster.Valid {
			weights[i] = 1
		}
		sum += v * weights[i]
		total += weights[i]
	}
	round := rounderOf[T]()
	return round.to(sum / total), coverage
}

func BenchmarkHalve(b *testing.B) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Float32} {
		b.Run(dataType.String(), func(b *testing.B) {
			source := raster.NewBuffer(dataType, 1024, 1024, 3).Freeze()
			b.SetBytes(source.Size())
			b.ReportAllocs()
			for b.Loop() {
				Halve(source, make([]bool, source.Bands()))
			}
		})
	}
	b.Run("uint8 with edges of coverage", func(b *testing.B) {
		buffer := raster.NewBuffer(raster.Uint8, 1024, 1024, 3)
		plane := make([]uint8, 1024*1024)
		for i := range plane {
			plane[i] = uint8(raster.Valid * ((i%1024 + i/1024) / 300 % 2))
		}
		buffer.SetValidity(plane)
		source := buffer.Freeze()
		b.SetBytes(source.Size())
		b.ReportAllocs()
		for b.Loop() {
			Halve(source, make([]bool, source.Bands()))
		}
	})
}
