package layer_test

import (
	"image/color"
	"math"
	"testing"

	"tileserver/geo"
	"tileserver/layer"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
	"tileserver/raster"
	"tileserver/raster/rastertest"
)

// A tile of the image's own pixels is one picture, whether requested as a tile or as an areas.Level.
func TestLevelAreaEqualsTile(t *testing.T) {
	c := newCatalog(t, gradient(), nil) // of 3000 by 2000 pixels: 4 levels in the tile matrix set
	level := layer.Request{Format: layer.PNG, Area: areas.Level{Halvings: 2, X: 256, Y: 0, Width: 256, Height: 256}}
	tile := layer.Request{Format: layer.PNG, Area: areas.Tile{TileSet: tilesets.ImageID, Tile: geo.TileID{Z: 2, X: 1, Y: 0}}}
	if got, want := mustPrepare(t, c, level).Key(), mustPrepare(t, c, tile).Key(); got != want {
		t.Errorf("the keys are %s and %s", got, want)
	}
}

func TestLevelAreasOfASolidImageAreSolid(t *testing.T) {
	for _, size := range [][2]int{{601, 499}, {1025, 257}, {3, 1}} {
		info := rastertest.Flat(raster.Uint8, size[0], size[1], 3, 128, 64)
		for b, c := range []raster.Color{raster.Red, raster.Green, raster.Blue} {
			info.Bands[b].Color = c
		}
		c := newCatalog(t, &rastertest.Synthetic{Name: "solid", Has: info, Sample: func(_, band, _, _ int) (float64, bool) {
			return float64(50 + 60*band), true
		}}, nil)
		for halvings := range 12 {
			area := areas.Level{Halvings: halvings, Width: (size[0]-1)>>halvings + 1, Height: (size[1]-1)>>halvings + 1}
			shown := mustPNG(t, mustPicture(t, c, layer.Request{Format: layer.PNG, Area: area}))
			for y := range area.Height {
				for x := range area.Width {
					if got := shown.At(x, y); !sameColor(got, color.NRGBA{50, 110, 170, 255}) {
						t.Fatalf("%v halved %d times: %d,%d is %v", size, halvings, x, y, got)
					}
				}
			}
		}
	}
}

// A box of the same pixels fades where the image ends within a pixel, so it is a different picture.
func TestLevelAreaDiffersFromBoxAtTheEdge(t *testing.T) {
	c := newCatalog(t, gradient(), nil) // of 3000 by 2000 pixels, 187.5 by 125 of 16 a side
	key := func(area areas.Area) string {
		return mustPrepare(t, c, layer.Request{Area: area}).Key()
	}
	for width, same := range map[int]bool{187: true, 188: false} {
		level := key(areas.Level{Halvings: 4, Width: width, Height: 125})
		box := key(areas.Box{Bounds: geo.Bounds{MaxX: 16 * float64(width), MaxY: 2000}, Width: width, Height: 125})
		if (level == box) != same {
			t.Errorf("%d pixels: the keys are %s and %s", width, level, box)
		}
	}
}

func TestLevelAreasFarBeyondTheImage(t *testing.T) {
	c := newCatalog(t, gradient(), nil)
	for _, at := range []int{1 << 20, 1 << 40, math.MaxInt - 1, math.MaxInt} {
		j, err := prepare(c, layer.Request{Area: areas.Level{X: at, Y: at, Width: 3, Height: 2}})
		var p layer.Picture
		if err == nil {
			p, err = j.Picture(t.Context())
		}
		if codeOf(err) != layer.Invalid && (err != nil || p.From != layer.Empty) {
			t.Errorf("at %d: %v, %v", at, p.From, err)
		}
	}
}
