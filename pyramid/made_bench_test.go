package pyramid_test

import (
	"testing"

	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// BenchmarkMadeTile reads tiles of levels that the file lacks, whose blocks are kept.
func BenchmarkMadeTile(b *testing.B) {
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
			p := pyramid.New(pyramid.NewDownsampled(pyramid.NewCached(source, kept), kept, pyramid.DownsampledConfig{}))
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
