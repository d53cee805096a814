package pyramid_test

import (
	"context"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// benchmarkTile reads one map tile whose blocks are all cached.
func benchmarkTile(b *testing.B, dataType raster.DataType, resampling resample.Method, sample func(level, band, x, y int) (float64, bool)) {
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(dataType, 2048, 2048, 3, 512, 512), 2), Sample: sample}
	benchmarkPlaced(b, georeferenced(b, blockcache.Wrap(source, blocks()), 32633, utmPlace(0.5)), resampling)
}

// benchmarkPlaced reads one map tile of an image whose blocks are all cached.
func benchmarkPlaced(b *testing.B, p *pyramid.Pyramid, resampling resample.Method) {
	set := geo.WebMercatorQuad()
	x, y := covering(b, p, set, 17, 0)
	view := pyramid.View{Lattice: set.Lattice(17, 1), Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Resampling: resampling, Alpha: -1}
	mustRead(b, p, view)
	b.ReportAllocs()
	for b.Loop() {
		plan, err := p.Plan(context.Background(), view)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := p.Read(context.Background(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTile(b *testing.B) {
	valid := func(_, _, x, y int) (float64, bool) { return float64(x ^ y&255), true }
	holes := func(_, _, x, y int) (float64, bool) { return float64(x ^ y&255), x%97 > 3 }
	sieve := func(_, _, x, y int) (float64, bool) { return float64(x ^ y&255), x&y&1 == 0 }
	b.Run("uint8/bilinear", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Bilinear, valid) })
	b.Run("uint8/bilinear/holes", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Bilinear, holes) })
	b.Run("uint8/nearest", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Nearest, valid) })
	b.Run("uint8/bilinear/sieve", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Bilinear, sieve) })
	b.Run("uint8/cubic", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Cubic, valid) })
	b.Run("uint8/cubic/holes", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Cubic, holes) })
	b.Run("uint8/lanczos", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Lanczos, valid) })
	b.Run("uint8/average", func(b *testing.B) { benchmarkTile(b, raster.Uint8, resample.Average, valid) })
	b.Run("float32/cubic", func(b *testing.B) { benchmarkTile(b, raster.Float32, resample.Cubic, valid) })
	b.Run("uint16/bilinear", func(b *testing.B) { benchmarkTile(b, raster.Uint16, resample.Bilinear, valid) })
	b.Run("float32/bilinear", func(b *testing.B) { benchmarkTile(b, raster.Float32, resample.Bilinear, valid) })
}

func BenchmarkPlan(b *testing.B) {
	source := &rastertest.Synthetic{Name: "s", Has: withOverviews(rastertest.Flat(raster.Uint8, 16384, 16384, 3, 512, 512), 5)}
	p := georeferenced(b, source, 32633, utmPlace(0.5))
	set := geo.WebMercatorQuad()
	x, y := covering(b, p, set, 17, 0)
	view := pyramid.View{Lattice: set.Lattice(17, 1), Rect: raster.Rect{X0: x * 256, Y0: y * 256, X1: (x + 1) * 256, Y1: (y + 1) * 256}, Alpha: -1}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Plan(context.Background(), view); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuiltTile reads map tiles of built levels whose blocks are cached.
func BenchmarkBuiltTile(b *testing.B) {
	for name, at := range map[string]struct {
		resolution float64
		rect       raster.Rect
	}{
		"coarse":       {8, raster.Rect{X0: 100, Y0: 100, X1: 356, Y1: 356}},
		"over an edge": {4, raster.Rect{X0: 400, Y0: 400, X1: 656, Y1: 656}},
	} {
		b.Run(name, func(b *testing.B) {
			source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 8192, 8192, 3, 512, 512), Sample: func(_, _, x, y int) (float64, bool) { return float64(x ^ y&255), true }}
			kept := blocks()
			p := pyramid.New(overview.New(blockcache.Wrap(source, kept), kept, overview.Config{}))
			view := pyramid.View{Rect: at.rect, Alpha: -1}
			view.Lattice.ResolutionX, view.Lattice.ResolutionY = at.resolution, -at.resolution
			mustRead(b, p, view)
			b.ReportAllocs()
			for b.Loop() {
				mustRead(b, p, view)
			}
		})
	}
}
