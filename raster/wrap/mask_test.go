package wrap_test

import (
	"testing"

	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/wrap"
)

func TestMaskPassesTheSuite(t *testing.T) {
	hidden, _ := rastertest.Speckle(0, 1, 5, 5)
	rastertest.Suite{
		Open: func(*testing.T) raster.Provider { return wrap.Mask(rastertest.Speckled(), hidden) },
		Want: func(level, band, x, y int) (float64, bool) {
			value, valid := rastertest.Speckle(level, band, x, y)
			return value, valid && value != hidden
		},
	}.Run(t)
}

func TestMaskPassesCapabilitiesOn(t *testing.T) {
	hidden, _ := rastertest.Speckle(0, 1, 5, 5)
	rastertest.CheckWrapper(t, rastertest.Speckled(), func(p raster.Provider) raster.Provider { return wrap.Mask(p, hidden) }, rastertest.StoredPictures)
}
