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

func TestResolutionsPassTheSuite(t *testing.T) {
	info := WithResolutions(Flat(raster.Float64, 37, 23, 2, 16, 8), 3, 5, 1)
	s := &Synthetic{Name: "resolutions", Has: info, Sample: Ramp(info)}
	Suite{Open: func(*testing.T) raster.Provider { return s }, Want: s.Sample}.Run(t)
}

// The first column of the image is column 5 of its grid. The next level has the columns 6, 8 and so
// on, and the level after it 8, 12 and so on.
func TestWithResolutions(t *testing.T) {
	levels := WithResolutions(Flat(raster.Uint8, 10, 7, 1, 4, 4), 2, 5, 0).Levels
	wants := []raster.Level{
		{Width: 10, Height: 7, BlockWidth: 4, BlockHeight: 4, ScaleX: 1, ScaleY: 1},
		{Width: 5, Height: 4, BlockWidth: 4, BlockHeight: 4, ScaleX: 2, ScaleY: 2, OffsetX: 0.5, OffsetY: -0.5},
		{Width: 2, Height: 2, BlockWidth: 4, BlockHeight: 4, ScaleX: 4, ScaleY: 4, OffsetX: 1.5, OffsetY: -1.5},
	}
	for n, want := range wants {
		if levels[n] != want {
			t.Errorf("level %d is %+v, want %+v", n, levels[n], want)
		}
	}
}
