package terrain

import "testing"

// A tile of 512 pixels with its halo.
const benchmarkPixels = 512

func BenchmarkGray(b *testing.B) {
	for _, mode := range []Mode{ModeHillshade, ModeMultiHillshade, ModeContours} {
		parameters := DefaultParameters(mode)
		for _, holes := range []bool{false, true} {
			grid := randomGrid(benchmarkPixels+2, benchmarkPixels+2, holes)
			dst := make([]uint8, benchmarkPixels*benchmarkPixels)
			b.Run(mode.String()+holesName(holes), func(b *testing.B) {
				benchmark(b, func() error { return parameters.Gray(dst, grid) })
			})
		}
	}
}

func BenchmarkValues(b *testing.B) {
	for _, mode := range []Mode{ModeSlope, ModeAspect} {
		parameters := DefaultParameters(mode)
		grid := randomGrid(benchmarkPixels+2, benchmarkPixels+2, false)
		dst := make([]float32, benchmarkPixels*benchmarkPixels)
		b.Run(mode.String(), func(b *testing.B) {
			benchmark(b, func() error { return parameters.Values(dst, grid) })
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	grid := randomGrid(benchmarkPixels, benchmarkPixels, false)
	dst := make([]uint8, 3*benchmarkPixels*benchmarkPixels)
	for _, mode := range []Mode{ModeTerrainRGB, ModeTerrarium} {
		parameters := DefaultParameters(mode)
		b.Run(mode.String(), func(b *testing.B) {
			benchmark(b, func() error { return parameters.Encoding.Encode(dst, 3, grid.Heights, nil) })
		})
	}
}

func benchmark(b *testing.B, render func() error) {
	b.ReportAllocs()
	b.SetBytes(benchmarkPixels * benchmarkPixels * 4)
	for b.Loop() {
		if err := render(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benchmarkPixels*benchmarkPixels), "ns/pixel")
}

func holesName(holes bool) string {
	if holes {
		return "/holes"
	}
	return ""
}
