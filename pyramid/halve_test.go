package pyramid

import (
	"math/rand/v2"
	"testing"

	"tileserver/raster"
)

// The quick way for what is all valid gives what weighing by coverage gives.
func TestHalvingValidPixelsIsHalvingByCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 5}, {8, 2}, {15, 4}, {16, 3}, {17, 17}, {33, 2}, {64, 31}} {
		halveBothWays[uint8](t, random, size[0], size[1])
		halveBothWays[int8](t, random, size[0], size[1])
		halveBothWays[uint16](t, random, size[0], size[1])
		halveBothWays[int32](t, random, size[0], size[1])
		halveBothWays[float32](t, random, size[0], size[1])
		halveBothWays[float64](t, random, size[0], size[1])
	}
}

func halveBothWays[T raster.Sample](t *testing.T, random *rand.Rand, width, height int) {
	t.Helper()
	b := raster.NewBuffer(raster.TypeOf[T](), width, height, 1)
	for i := range raster.Writable[T](b, 0) {
		raster.Writable[T](b, 0)[i] = T(random.IntN(256) - 100*random.IntN(2)*int(b.Type()&1))
	}
	source := b.Freeze()
	quick := halve(source, false)

	slow := raster.NewBuffer(source.Type(), quick.Width(), quick.Height(), 1)
	q := quad[T]{round: rounderOf[T]()}
	for y := range quick.Height() {
		for x := range quick.Width() {
			q.count = 0
			for sy := 2 * y; sy < min(2*y+2, height); sy++ {
				for sx := 2 * x; sx < min(2*x+2, width); sx++ {
					q.add(raster.Samples[T](source, 0), nil, sy*width+sx)
				}
			}
			raster.Writable[T](slow, 0)[y*quick.Width()+x], _ = q.mean()
		}
	}
	if want := slow.Freeze(); !quick.SamePixels(want) {
		t.Errorf("%v %dx%d: %v, want %v", source.Type(), width, height, raster.Samples[T](quick, 0), raster.Samples[T](want, 0))
	}
}

func BenchmarkHalve(b *testing.B) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Float32} {
		b.Run(dataType.String(), func(b *testing.B) {
			source := raster.NewBuffer(dataType, 1024, 1024, 3).Freeze()
			b.SetBytes(source.Size())
			b.ReportAllocs()
			for b.Loop() {
				halve(source, false)
			}
		})
	}
}
