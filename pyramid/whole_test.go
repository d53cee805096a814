package pyramid_test

import (
	"context"
	"fmt"
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
)

// wholeView is a view of all pixels of an image halved the given number of times. A partial pixel
// at the end counts as one.
func wholeView(width, height, halvings int, resampling resample.Method) pyramid.View {
	span := float64(int(1) << halvings)
	return pyramid.View{
		Lattice: geo.Lattice{ResolutionX: span, ResolutionY: -span}, Resampling: resampling, Alpha: -1, Whole: true,
		Rect: raster.Rect{X1: (width-1)>>halvings + 1, Y1: (height-1)>>halvings + 1},
	}
}

func TestWholePixelsDoNotFadeAtTheEdge(t *testing.T) {
	for _, size := range [][2]int{{601, 499}, {1025, 3}, {1, 1}, {1, 700}, {513, 512}} {
		info := rastertest.Flat(raster.Uint8, size[0], size[1], 1, 128, 64)
		solid := &rastertest.Synthetic{Name: "solid", Has: info, Sample: func(int, int, int, int) (float64, bool) { return 77, true }}
		for _, made := range []bool{false, true} {
			var provider raster.Provider = solid
			if made {
				provider = overview.New(solid, blockcache.New(cache.New(1<<20)), overview.Config{MinSize: 100})
			}
			p := pyramid.New(provider)
			for _, halvings := range []int{0, 1, 3, 6, 11} {
				for _, resampling := range []resample.Method{resample.Bilinear, resample.Nearest, resample.Cubic, resample.Lanczos, resample.Average} {
					t.Run(fmt.Sprintf("%v halved %d times, levels made %v, %v", size, halvings, made, resampling), func(t *testing.T) {
						view := wholeView(size[0], size[1], halvings, resampling)
						checkSolid(t, mustRead(t, p, view), 77)
						view.Rect.X0, view.Rect.Y0 = view.Rect.X1-1, view.Rect.Y1-1
						checkSolid(t, mustRead(t, p, view), 77)
					})
				}
			}
		}
	}
}

func checkSolid(t *testing.T, tile raster.Tile, want float64) {
	t.Helper()
	for y := range tile.Height() {
		for x := range tile.Width() {
			if value, coverage := tile.At(0, x, y); value != want || coverage != raster.Valid {
				t.Fatalf("%d,%d of %dx%d is %v, covered by %d", x, y, tile.Width(), tile.Height(), value, coverage)
			}
		}
	}
}

// At an edge, a halved level has partial pixels. They are shown as they are.
func TestWholePixelsAreThoseOfTheLevel(t *testing.T) {
	source := &rastertest.Synthetic{Name: "steps", Has: rastertest.Flat(raster.Uint8, 601, 499, 1, 128, 64), Sample: func(_, _, x, y int) (float64, bool) {
		return float64((x + 3*y) % 200), true
	}}
	d := overview.New(source, blockcache.New(cache.New(1<<20)), overview.Config{MinSize: 70})
	p := pyramid.New(d)
	for level, l := range d.Info().Levels {
		got := mustRead(t, p, wholeView(601, 499, level, resample.Bilinear))
		if got.Width() != l.Width || got.Height() != l.Height {
			t.Fatalf("level %d has %dx%d pixels, is shown in %dx%d", level, l.Width, l.Height, got.Width(), got.Height())
		}
		ids := l.Covering(l.Bounds())
		tiles, err := d.Blocks(context.Background(), level, ids, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, tile := range tiles {
			checkPart(t, got, tile, l.Block(ids[i]))
		}
	}
}

// checkPart fails unless a tile equals a rectangle of the whole.
func checkPart(t *testing.T, whole, part raster.Tile, at raster.Rect) {
	t.Helper()
	for y := range at.Height() {
		for x := range at.Width() {
			got, coverage := whole.At(0, at.X0+x, at.Y0+y)
			if want, _ := part.At(0, x, y); got != want || coverage != raster.Valid {
				t.Fatalf("%d,%d is %v, covered by %d, want %v", at.X0+x, at.Y0+y, got, coverage, want)
			}
		}
	}
}

// Pixels entirely beyond the image stay empty.
func TestWholePixelsEndWithTheImage(t *testing.T) {
	source := &rastertest.Synthetic{Name: "solid", Has: rastertest.Flat(raster.Uint8, 601, 499, 1, 128, 64), Sample: func(int, int, int, int) (float64, bool) { return 77, true }}
	view := wholeView(601, 499, 3, resample.Bilinear)
	last := view.Rect.X1
	view.Rect.X1 += 5
	view.Rect.Y1 = 1
	tile := mustRead(t, pyramid.New(source), view)
	for x := range tile.Width() {
		if _, coverage := tile.At(0, x, 0); (coverage == raster.Valid) != (x < last) {
			t.Errorf("pixel %d of %d is covered by %d", x, last, coverage)
		}
	}
}
