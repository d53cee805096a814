package jp2k

import (
	"testing"

	"tileserver/raster"
)

// BenchmarkBlocks reads what a map tile takes: with nothing kept but the index, and with all
// code-blocks kept.
func BenchmarkBlocks(b *testing.B) {
	view := raster.Rect{X0: 300, Y0: 200, X1: 556, Y1: 456}
	for _, bench := range []struct {
		name  string
		fresh bool
	}{{"cold", true}, {"warm", false}} {
		b.Run(bench.name, func(b *testing.B) {
			o := open(b, wideCodestream(), nil)
			ids := o.Info().Levels[0].Covering(view)
			b.SetBytes(int64(view.Width() * view.Height()))
			b.ReportAllocs()
			for b.Loop() {
				if bench.fresh {
					b.StopTimer()
					o = open(b, wideCodestream(), nil)
					if _, err := o.file.tiles(b.Context(), []int{0}); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				blocks(b, o, 0, ids, []int{0})
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	data := wideCodestream()
	b.ReportAllocs()
	for b.Loop() {
		open(b, data, nil)
	}
}
