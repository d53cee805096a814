package statistics

import (
	"context"
	"math/rand/v2"
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// BenchmarkCompute samples 2^22 pixels.
func BenchmarkCompute(b *testing.B) {
	const side = 1024
	for _, dataType := range []raster.DataType{raster.Uint8, raster.Uint16, raster.Float32} {
		b.Run(dataType.String(), func(b *testing.B) {
			h := &repeatingProvider{info: rastertest.Flat(dataType, 2*side, 2*side, 1, side, side), block: noise(dataType, side)}
			b.SetBytes(int64(4 * side * side * dataType.Size()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compute(context.Background(), h, nil, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// noise returns a tile of random bits. Floats are from 0 to 1000.
func noise(t raster.DataType, side int) raster.Tile {
	random := rand.New(rand.NewPCG(1, 2))
	b := raster.NewBuffer(t, side, side, 1)
	if t == raster.Float32 {
		for i := range side * side {
			raster.Writable[float32](b, 0)[i] = random.Float32() * 1000
		}
		return b.Freeze()
	}
	for i := range b.Plane(0) {
		b.Plane(0)[i] = uint8(random.Uint32())
	}
	return b.Freeze()
}
