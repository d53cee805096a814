package rastertest

import (
	"testing"

	"tileserver/raster"
)

func TestSyntheticPassesTheSuite(t *testing.T) {
	sample := func(level, band, x, y int) (float64, bool) {
		return float64(level*1000 + band*100 + x + 2*y), (x+y)%7 != 0 || band == 1
	}
	Suite{
		Open: func(*testing.T) raster.Provider {
			info := Flat(raster.Uint16, 37, 23, 3, 16, 8)
			info.Levels = append(info.Levels, raster.Level{Width: 19, Height: 12, BlockWidth: 16, BlockHeight: 8, ScaleX: 37.0 / 19, ScaleY: 23.0 / 12})
			return &Synthetic{Name: "synthetic", Has: info, Sample: sample}
		},
		Want: sample,
	}.Run(t)
}
