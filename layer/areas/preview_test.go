package areas_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/layer/areas"
	"tileserver/raster"
)

// A preview with a width or a height equals the picture of a box of all pixels, so that both share
// a cache entry.
func TestPreviewsInOtherShapes(t *testing.T) {
	image := raster.Level{Width: 3000, Height: 2000}
	whole := geo.Bounds{MaxX: 3000, MaxY: 2000}
	for _, test := range []struct {
		area          areas.Preview
		width, height int
	}{
		{areas.Preview{MaxSize: 2048, Width: 31, Height: 17}, 31, 17},
		{areas.Preview{MaxSize: 20, Width: 40, Height: 10}, 20, 5},
		{areas.Preview{MaxSize: 1 << 20, Width: 6000, Height: 2000}, 3000, 1000},
		{areas.Preview{MaxSize: 1 << 20, Width: 3000}, 3000, 2000},
		{areas.Preview{MaxSize: 1 << 20, Height: 4000}, 3000, 2000},
	} {
		lattice, rect, err := test.area.Resolve(image, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantLattice, wantRect, err := areas.Box{Bounds: whole, Width: test.width, Height: test.height}.Resolve(image, nil)
		if lattice != wantLattice || rect != wantRect || err != nil {
			t.Errorf("%+v is not %d x %d, but %v of %+v, %v", test.area, test.width, test.height, rect, lattice, err)
		}
	}
}
