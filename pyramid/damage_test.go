package pyramid_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

func TestViewsInheritDamage(t *testing.T) {
	p := pyramid.New(rastertest.DamagedCorner(nil))
	for name, test := range map[string]struct {
		rect raster.Rect
		want string
	}{
		"a part of the lost block":       {raster.Rect{X0: 2, Y0: 3, X1: 9, Y1: 8}, "1 code-block"},
		"several blocks":                 {raster.Rect{X0: 10, Y0: 10, X1: 40, Y1: 20}, "1 code-block"},
		"others":                         {raster.Rect{X0: 40, Y0: 20, X1: 50, Y1: 40}, ""},
		"the lost block and no pixel's ": {raster.Rect{X0: -30, Y0: -30, X1: 5, Y1: 5}, "1 code-block"},
		"beside the image":               {raster.Rect{X0: -30, Y0: -30, X1: -5, Y1: 5}, ""},
	} {
		view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: test.rect, Alpha: -1, Resampling: resample.Nearest}
		plan, err := p.Plan(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		tile, _, err := p.Read(t.Context(), &plan, new(raster.MemoryPool).Get(p.BytesOf(&plan)))
		if err != nil {
			t.Fatal(err)
		}
		if tile.Damage().String() != test.want {
			t.Errorf("%s: told is %q, want %q", name, tile.Damage(), test.want)
		}
	}
	for _, test := range []struct {
		x, y float64
		want string
	}{{3.5, 3.5, "1 code-block"}, {20.5, 3.5, ""}} {
		point, err := p.Point(t.Context(), nil, geo.Point{X: test.x, Y: test.y})
		if err != nil || point.Damage.String() != test.want {
			t.Errorf("at %v,%v: %q, %v; want %q", test.x, test.y, point.Damage, err, test.want)
		}
	}
}
