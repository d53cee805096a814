package display

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestThreePlanesAreInterleaved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for count := range 100 {
		var planes [3][]uint8
		pixels, want := make([]uint8, 3*count+9), make([]uint8, 3*count+9) // what follows stays 0
		for c := range planes {
			planes[c] = make([]uint8, count)
			for i := range planes[c] {
				planes[c][i] = uint8(r.Uint32())
				want[3*i+c] = planes[c][i]
			}
		}
		interleave3(pixels, planes[0], planes[1], planes[2])
		if !slices.Equal(pixels, want) {
			t.Fatalf("%d pixels are %v, want %v", count, pixels, want)
		}
		clear(pixels)
		interleave3InGo(pixels, planes[0], planes[1], planes[2])
		if !slices.Equal(pixels, want) {
			t.Fatalf("%d pixels are %v in Go, want %v", count, pixels, want)
		}
	}
}

func BenchmarkInterleave(b *testing.B) {
	const count = 256 * 256
	pixels, plane := make([]uint8, 3*count), make([]uint8, count)
	b.SetBytes(3 * count)
	for b.Loop() {
		interleave3(pixels, plane, plane, plane)
	}
}
