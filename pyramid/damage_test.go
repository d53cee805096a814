package pyramid_test

import (
	"testing"

	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/raster"
	"tileserver/raster/rastertest"
	"tileserver/raster/recolor"
)

// damagedCorner returns an image of 64 x 48 pixels in blocks of 16 x 16, the first of which is
// damaged.
func damagedCorner(change func(*raster.Info)) *rastertest.Synthetic {
	info := rastertest.Flat(raster.Uint8, 64, 48, 1, 16, 16)
	if change != nil {
		change(&info)
	}
	return &rastertest.Synthetic{
		Name: "damaged@1", Has: info,
		Sample: func(_, _, x, y int) (float64, bool) { return float64(x + y), true },
		Lost: func(_ int, r raster.Rect) raster.Damage {
			if r.Intersect(raster.Rect{X1: 16, Y1: 16}).Empty() {
				return raster.Damage{}
			}
			return raster.NewDamage([]raster.Loss{{Kind: "code-block", Text: "code-block 0"}}, false)
		},
	}
}

func TestWrappersPassDamageOn(t *testing.T) {
	recolored, err := recolor.New(damagedCorner(func(i *raster.Info) {
		i.Bands = make([]raster.Band, 4)
		i.Colors = raster.ColorModel{Space: raster.CMYK}
	}))
	if err != nil {
		t.Fatal(err)
	}
	kept := pyramid.NewCached(damagedCorner(nil), blocks())
	for name, test := range map[string]struct {
		provider       raster.Provider
		level          int
		damaged, sound raster.BlockID
	}{
		"cached":         {kept, 0, raster.BlockID{}, raster.BlockID{Col: 1}},
		"kept":           {kept, 0, raster.BlockID{}, raster.BlockID{Col: 1}},
		"masked":         {pyramid.NewMasked(damagedCorner(nil), 7), 0, raster.BlockID{}, raster.BlockID{Row: 1}},
		"retiled":        {pyramid.NewRetiled(damagedCorner(nil), pyramid.RetiledConfig{BlockWidth: 24, BlockHeight: 24}), 0, raster.BlockID{}, raster.BlockID{Col: 1}},
		"turned":         {pyramid.NewOriented(damagedCorner(func(i *raster.Info) { i.Orientation = 3 })), 0, raster.BlockID{Col: 3, Row: 2}, raster.BlockID{}},
		"spread":         {pyramid.NewSpread(damagedCorner(func(i *raster.Info) { i.Bits, i.Bands[0].Color = 4, raster.Gray })), 0, raster.BlockID{}, raster.BlockID{Col: 1}},
		"recolored":      {recolored, 0, raster.BlockID{}, raster.BlockID{Col: 1}},
		"halved":         {pyramid.NewDownsampled(damagedCorner(nil), blocks(), pyramid.DownsampledConfig{BlockSize: 16, MinSize: 16}), 1, raster.BlockID{}, raster.BlockID{Col: 1}},
		"halved, retold": {pyramid.NewDownsampled(damagedCorner(nil), blocks(), pyramid.DownsampledConfig{BlockSize: 16, MinSize: 8}), 2, raster.BlockID{}, raster.BlockID{}},
	} {
		tiles, err := test.provider.Blocks(t.Context(), test.level, []raster.BlockID{test.damaged, test.sound}, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if tiles[0].Damage().String() != "1 code-block" {
			t.Errorf("%s: of a damaged block is told %q", name, tiles[0].Damage())
		}
		if d := tiles[1].Damage(); test.sound != test.damaged && !d.IsZero() {
			t.Errorf("%s: of a sound block is told %q", name, d)
		}
	}
}

func TestViewsInheritDamage(t *testing.T) {
	p := pyramid.New(damagedCorner(nil))
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
		view := pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: test.rect, Alpha: -1, Resampling: pyramid.Nearest}
		plan, err := p.Plan(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		tile, _, err := p.Read(t.Context(), &plan)
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
