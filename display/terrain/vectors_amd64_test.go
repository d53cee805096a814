//go:build !purego

package terrain

import (
	"math"
	"slices"
	"testing"

	"tileserver/integration/processor"
	"tileserver/internal/cpu"
)

func TestVectorsEqualGeneric(t *testing.T) {
	processor.Require(t, cpu.Has.AVX2, "AVX2")
	hard := []float32{
		0, float32(math.Copysign(0, -1)), 1e-45, -1e-39, 3e38, -3e38, 1e20, -1e20, 1, -1,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	}
	for _, n := range []int{1, 7, 8, 9, 15, 16, 250} {
		grid := randomGrid(n+2, 3, false)
		for round := range 40 {
			for i := range 2 * round {
				grid.Heights[(i*7+round)%len(grid.Heights)] = hard[(i+round)%len(hard)]
			}
			above, here, below := grid.Heights[:n+2], grid.Heights[n+2:2*n+4], grid.Heights[2*n+4:]
			east, south := make([]float32, n), make([]float32, n)
			wantEast, wantSouth := make([]float32, n), make([]float32, n)
			gradients(east, south, above, here, below, 0.3, 0.7)
			gradientsGeneric(wantEast, wantSouth, above, here, below, 0.3, 0.7)
			if !sameFloats(east, wantEast) || !sameFloats(south, wantSouth) {
				t.Fatalf("gradients of %d pixels: %v %v, want %v %v", n, east, south, wantEast, wantSouth)
			}
			sun := newSunDirection(Light{float64(9 * round), 40, 1})
			got, want := make([]uint8, n), make([]uint8, n)
			sun.shade(got, east, south)
			sun.shadeGeneric(want, east, south)
			if !slices.Equal(got, want) {
				t.Fatalf("shades of %d pixels: %v, want %v", n, got, want)
			}
		}
	}
}

// sameFloats compares bits, but treats all NaNs as equal.
func sameFloats(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
	})
}
