//go:build !race

// The race detector makes sync.Pool drop some items at random.

package display

import (
	"testing"

	"tileserver/raster"
)

func TestRepeatedRenderingDoesNotAllocate(t *testing.T) {
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Int16, raster.Float32} {
		for _, covered := range []bool{false, true} {
			b := noise(dataType, 64, 3)
			if covered {
				copy(b.OwnValidity(1), noise(raster.Uint8, 64, 1).Plane(0))
			}
			tile := b.Freeze()
			c := chainOf(t, Spec{Rescale: []Range{{0, 90}}}, infoOf(dataType, 3))
			allocations := testing.AllocsPerRun(50, func() { mustRender(t, c, tile).Release() })
			if allocations >= 1 {
				t.Errorf("%v, partly covered %v: %v allocations", dataType, covered, allocations)
			}
		}
	}
}
