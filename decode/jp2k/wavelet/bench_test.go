package wavelet_test

import (
	"fmt"
	"testing"

	"tileserver/decode/jp2k/wavelet"
)

var benchmarked = []wavelet.Rect{{0, 0, 1024, 1024}, {301, 299, 601, 599}, {20, 30, 60, 70}, {0, 0, 8192, 256}}

func benchmark[T wavelet.Number](b *testing.B, f wavelet.Filter, synthesize synthesis[T]) {
	whole := wavelet.Rect{X0: 0, Y0: 0, X1: 8192, Y1: 1024}
	for _, window := range benchmarked {
		b.Run(fmt.Sprintf("%dx%d", window.Width(), window.Height()), func(b *testing.B) {
			var bands [4]wavelet.Plane[T]
			for o, needed := range f.Needed(whole, window) {
				bands[o] = wavelet.NewPlane[T](needed)
				fill(random(1), bands[o].Samples, 9)
			}
			scratch, to := new(wavelet.Scratch[T]), wavelet.NewPlane[T](window)
			b.SetBytes(int64(len(to.Samples)))
			b.ReportAllocs()
			for b.Loop() {
				if err := synthesize(scratch, whole, &bands, to); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(to.Samples)), "ns/sample")
		})
	}
}

func BenchmarkSynthesize53(b *testing.B) { benchmark(b, wavelet.Filter53, wavelet.Synthesize53[int32]) }

func BenchmarkSynthesize53Short(b *testing.B) {
	benchmark(b, wavelet.Filter53, wavelet.Synthesize53[int16])
}

func BenchmarkSynthesize53Long(b *testing.B) {
	benchmark(b, wavelet.Filter53, wavelet.Synthesize53[int64])
}

func BenchmarkSynthesize97(b *testing.B) { benchmark(b, wavelet.Filter97, wavelet.Synthesize97) }

// BenchmarkBlock narrows the coefficients of a block of 64 x 64 and places them into a plane.
func BenchmarkBlock(b *testing.B) {
	block := wavelet.Rect{X0: 0, Y0: 0, X1: 64, Y1: 64}
	decoded, kept := make([]int32, 64*64), make([]int16, 64*64)
	fill(random(1), decoded, 12)
	whole, scaled := wavelet.NewPlane[int32](block), wavelet.NewPlane[float32](block)
	for _, test := range []struct {
		name string
		do   func() error
	}{
		{"halve", func() error { wavelet.Halve(kept, decoded); return nil }},
		{"largest", func() error { wavelet.MaxMagnitude(decoded); return nil }},
		{"narrow", func() error { wavelet.Narrow(kept, decoded); return nil }},
		{"place", func() error { return wavelet.Place(&whole, block, kept, 1) }},
		{"place scaled", func() error { return wavelet.Place(&scaled, block, kept, 0.1) }},
		{"lower region", func() error { wavelet.LowerRegion(decoded, 10); return nil }},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(decoded)))
			b.ReportAllocs()
			for b.Loop() {
				if err := test.do(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(decoded)), "ns/sample")
		})
	}
}
