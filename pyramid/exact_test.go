package pyramid_test

import (
	"context"
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// A view is exact only if its pixels are consecutive pixels of the level, in the stored
// orientation.
func TestExact(t *testing.T) {
	crs := geo.WebMercatorQuad().CRS
	source := &rastertest.Synthetic{Name: "s", Has: rastertest.Flat(raster.Uint8, 1024, 768, 1, 256, 256)}
	at := func(x, y, width, height int) raster.Rect {
		return raster.Rect{X0: x, Y0: y, X1: x + width, Y1: y + height}
	}
	tests := []struct {
		name    string
		affine  geo.Affine
		lattice geo.Lattice
		rect    raster.Rect
		want    raster.Rect // empty if the view is not exact
	}{
		{"a block on the map", geo.Affine{A: 10, C: 1000, E: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(356, -644, 256, 256), at(256, 256, 256, 256)},
		{"beyond the edge", geo.Affine{A: 10, C: 1000, E: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(-156, -644, 256, 256), raster.Rect{}},
		{"upside down", geo.Affine{A: 10, C: 1000, E: 10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(356, -1412, 256, 256), raster.Rect{}},
		{"mirrored", geo.Affine{A: -10, C: 11240, E: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(356, -644, 256, 256), raster.Rect{}},
		{"turned", geo.Affine{B: 10, C: 1000, D: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(356, -644, 256, 256), raster.Rect{}},
		{"half a pixel off", geo.Affine{A: 10, C: 1005, E: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 10, ResolutionY: 10}, at(356, -644, 256, 256), raster.Rect{}},
		{"twice as coarse", geo.Affine{A: 10, C: 1000, E: -10, F: 9000}, geo.Lattice{CRS: crs, ResolutionX: 20, ResolutionY: 20}, at(60, -440, 256, 256), raster.Rect{}},
	}
	for _, test := range tests {
		placement, err := geo.NewAffinePlacement(test.affine)
		if err != nil {
			t.Fatal(err)
		}
		p := pyramid.NewGeoreferenced(source, crs, placement)
		plan, err := p.Plan(context.Background(), pyramid.View{Lattice: test.lattice, Rect: test.rect, Alpha: -1})
		if err != nil {
			t.Fatal(err)
		}
		window, exact := plan.Exact()
		if exact != !test.want.Empty() || exact && window != test.want {
			t.Errorf("%s: got %v, %v, want %v", test.name, window, exact, test.want)
		}
	}
}
