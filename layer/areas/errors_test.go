package areas_test

import (
	"errors"
	"fmt"
	"testing"

	"tileserver/geo"
	"tileserver/layer/areas"
	"tileserver/layer/tilesets"
	"tileserver/raster"
)

func TestInvalidAreas(t *testing.T) {
	image := raster.Level{Width: 300, Height: 200}
	square := geo.Bounds{MaxX: 9, MaxY: 9}
	for _, area := range []areas.Area{
		areas.Level{}, areas.Level{Width: 1}, areas.Level{Height: 1}, areas.Level{X: -1, Width: 1, Height: 1}, areas.Level{Y: -1, Width: 1, Height: 1},
		areas.Level{Halvings: -1, Width: 1, Height: 1}, areas.Level{Halvings: 32, Width: 1, Height: 1}, areas.Level{Halvings: 64, Width: 1, Height: 1},
		areas.Preview{}, areas.Preview{MaxSize: 9, Width: -1}, areas.Preview{MaxSize: 9, Width: 9, Height: -9}, areas.Preview{Width: 9},
		areas.Box{Width: 9, Height: 9}, areas.Box{Bounds: square, Width: 9}, areas.Box{Bounds: square, Height: 9},
	} {
		var failed *areas.Error
		if _, _, err := area.Resolve(image, nil); !errors.As(err, &failed) || failed.IsMissing {
			t.Errorf("%T%+v: the error is %v", area, area, err)
		}
	}
}

// The sides of tiles are the regular one, or two to four times that.
func TestSidesOfTiles(t *testing.T) {
	for side, want := range map[int]int{256: 1, 512: 2, 768: 3, 1024: 4} {
		if scale, err := areas.SideScale(side, 256); scale != want || err != nil {
			t.Errorf("%d pixels: %d, %v", side, scale, err)
		}
	}
	for _, side := range []int{0, 1, 128, 255, 300, 1280} {
		var wrong *areas.SideError
		if _, err := areas.SideScale(side, 256); !errors.As(err, &wrong) || wrong.Side != side || wrong.Usual != 256 {
			t.Errorf("%d pixels: the error is %v", side, err)
		}
	}
}

func TestMissingTiles(t *testing.T) {
	info := raster.Info{Levels: []raster.Level{{Width: 1000, Height: 300}}}
	sets := &tilesets.List{Offered: func() []tilesets.TileSet { return []tilesets.TileSet{tilesets.Image(&info)} }}
	for _, test := range []struct {
		area areas.Tile
		want string
	}{
		{areas.Tile{TileSet: "image", Tile: geo.TileID{Z: 2, X: 4}}, "image has no tile 2/4/0"},
		{areas.Tile{TileSet: "imag"}, `there is no tile matrix set "imag"; did you mean "image"?`},
	} {
		var failed *areas.Error
		if _, _, err := test.area.Resolve(info.Levels[0], sets); !errors.As(err, &failed) || !failed.IsMissing || fmt.Sprint(err) != test.want {
			t.Errorf("%+v: the error is %v, want %s", test.area, err, test.want)
		}
	}
}
