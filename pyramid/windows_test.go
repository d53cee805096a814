package pyramid_test

import (
	"testing"

	"tileserver/cache"
	"tileserver/geo"
	"tileserver/pyramid"
	"tileserver/pyramid/overview"
	"tileserver/pyramid/resample"
	"tileserver/raster"
	"tileserver/raster/blockcache"
	"tileserver/raster/rastertest"
	"tileserver/raster/recolor"
	"tileserver/raster/wrap"
)

// windowed returns an image in windows: two levels of odd sizes, with some invalid pixels.
func windowed(t raster.DataType) *rastertest.SyntheticWindows {
	info := rastertest.Flat(t, 301, 203, 3, 64, 64)
	info.Levels = append(info.Levels, raster.Level{Width: 151, Height: 102, BlockWidth: 64, BlockHeight: 64, ScaleX: 2, ScaleY: 2, OffsetX: -.5, OffsetY: -.5})
	return &rastertest.SyntheticWindows{Synthetic: &rastertest.Synthetic{Name: "windowed@1", Has: info, Sample: func(level, band, x, y int) (float64, bool) {
		return float64((x*3 + y*5 + band*40 + level*7) % 250), (x+y)%17 != 0
	}}}
}

// wrapped returns all wrappers that support windows.
func wrapped(source raster.Provider) raster.Provider {
	blocks := blockcache.New(cache.New(1 << 20))
	p := wrap.Mask(blockcache.Wrap(wrap.Spread(source), blocks), 9)
	return overview.New(p, blocks, overview.Config{MinSize: 40})
}

func TestWindowsThroughWrappersAreThePixelsOfBlocks(t *testing.T) {
	for name, open := range map[string]func() raster.Provider{
		"plain": func() raster.Provider { return wrapped(windowed(raster.Uint16)) },
		"of few bits": func() raster.Provider {
			w := windowed(raster.Uint8)
			w.Has.Bits = 4
			sample := w.Sample
			w.Sample = func(level, band, x, y int) (float64, bool) {
				v, valid := sample(level, band, x, y)
				return float64(int(v) % 16), valid
			}
			return wrapped(w)
		},
		"of other colours": func() raster.Provider {
			w := windowed(raster.Uint8)
			w.Has.Colors = raster.ColorModel{Space: raster.YCbCr, Luma: [3]float64{.299, .587, .114}, Reference: [6]float64{0, 255, 128, 255, 128, 255}}
			p, err := recolor.New(w)
			if err != nil {
				t.Fatal(err)
			}
			return wrapped(p)
		},
	} {
		p := open().(raster.WindowProvider)
		for level, want := range []bool{true, true, false} {
			if got := p.HasWindows(level); got != want {
				t.Errorf("%s: level %d has windows: %v", name, level, got)
			}
		}
		t.Run(name, func(t *testing.T) {
			rastertest.Suite{Open: func(*testing.T) raster.Provider { return open() }}.Run(t)
		})
	}
}

// A view over windows equals the view over blocks, and reads no blocks.
func TestViewsAreReadByWindows(t *testing.T) {
	source := windowed(raster.Uint8)
	byWindows, byBlocks := pyramid.New(wrapped(source)), pyramid.New(wrapped(source.Synthetic))
	for _, lattice := range []geo.Lattice{
		{ResolutionX: 1, ResolutionY: -1}, {OriginX: -20, OriginY: -10, ResolutionX: 1.3, ResolutionY: -1.3}, {ResolutionX: 2.1, ResolutionY: -2.1},
	} {
		for _, rect := range []raster.Rect{{X0: 3, Y0: 5, X1: 90, Y1: 70}, {X0: -9, Y0: -9, X1: 400, Y1: 300}, {X0: 250, Y0: 10, X1: 320, Y1: 40}} {
			view := pyramid.View{Lattice: lattice, Rect: rect, Alpha: -1, Resampling: resample.Bilinear}
			got, want := mustRead(t, byWindows, view), mustRead(t, byBlocks, view)
			if !got.SamePixels(want) {
				t.Errorf("%v, pixels %v: another picture by windows than by blocks", lattice, rect)
			}
		}
	}
	if source.WindowsMade() == 0 {
		t.Error("no window was read")
	}
	before := source.BlocksMade()
	mustRead(t, byWindows, pyramid.View{Lattice: geo.Lattice{ResolutionX: 1, ResolutionY: -1}, Rect: raster.Rect{X0: 100, Y0: 100, X1: 200, Y1: 180}, Alpha: -1})
	if made := source.BlocksMade() - before; made != 0 {
		t.Errorf("%d blocks were read", made)
	}
}
