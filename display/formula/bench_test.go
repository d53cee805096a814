package formula

import (
	"math/rand/v2"
	"testing"
)

const benchmarkPixels = 512 * 512

func BenchmarkApply(b *testing.B) {
	for _, picture := range []struct {
		name   string
		pixels []uint8
	}{{"noise", noise()}, {"hills", hills()}} {
		for _, text := range []string{"saturation 1.7", "saturation 1.7, sigmoidal RGB 15 0.35", "saturation 0.5, saturation 3"} {
			rest := mustParse(b, text).Mixer()
			b.Run(picture.name+"/"+text, func(b *testing.B) {
				pixels := make([]uint8, len(picture.pixels))
				b.SetBytes(int64(len(pixels)))
				b.ReportAllocs()
				for b.Loop() {
					copy(pixels, picture.pixels)
					rest.Apply(pixels, 4)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkPixels, "ns/pixel")
			})
		}
	}
}

// noise is the worst case for branch prediction.
func noise() []uint8 {
	random := rand.New(rand.NewPCG(3, 4))
	pixels := make([]uint8, 4*benchmarkPixels)
	for i := range pixels {
		pixels[i] = uint8(random.Uint32())
	}
	return pixels
}

// hills returns colors that change slowly, as in a photograph.
func hills() []uint8 {
	random := rand.New(rand.NewPCG(3, 4))
	pixels := make([]uint8, 0, 4*benchmarkPixels)
	for i := range benchmarkPixels {
		x, y := i%512, i/512
		height := uint8(x*x/3000 + y/6)
		pixels = append(pixels, 40+height+uint8(random.IntN(12)), 60+height/2+uint8(random.IntN(12)), 30+uint8(random.IntN(12)), 255)
	}
	return pixels
}

func BenchmarkCurve(b *testing.B) {
	curve := mustParse(b, "gamma R 3.5, sigmoidal R 15 0.35").Curve(0)
	sum := 0.
	for b.Loop() {
		sum += curve.At(0.3)
	}
}

func BenchmarkMixer(b *testing.B) {
	f := mustParse(b, "saturation 1.7, gamma R 3.5, sigmoidal RGB 15 0.35")
	b.ReportAllocs()
	for b.Loop() {
		f.Mixer()
	}
}
