package jp2k

import (
	"testing"

	"tileserver/raster"
)

// BenchmarkBlocks reads the blocks of a map tile, with only the index cached and with all
// code-blocks cached.
func BenchmarkBlocks(b *testing.B) {
	region := raster.Rect{X0: 300, Y0: 200, X1: 556, Y1: 456}
	for _, test := range []struct {
		name  string
		fresh bool
	}{{"cold", true}, {"warm", false}} {
		b.Run(test.name, func(b *testing.B) {
			o := open(b, wideCodestream(), nil)
			ids := o.Info().Levels[0].Covering(region)
			b.SetBytes(int64(region.Width() * region.Height()))
			b.ReportAllocs()
			for b.Loop() {
				if test.fresh {
					b.StopTimer()
					o = open(b, wideCodestream(), nil)
					blocks(b, o, 3, []raster.BlockID{{}}, nil) // loads the packet index
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
